export default function Layout({ children }) {
  return (
    <html>
      <head>
        <link rel="icon" href="/icon.svg" />
      </head>
      <body>{children}</body>
    </html>
  );
}
