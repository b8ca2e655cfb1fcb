import { chromium } from "@playwright/test";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { join, extname } from "node:path";
const T={".html":"text/html",".js":"text/javascript",".css":"text/css",".svg":"image/svg+xml",".wasm":"application/wasm"};
const D=process.env.DIST??"/tmp/dist30", C="/work/shared/corpus/legacy/";
const s=createServer(async(q,r)=>{const p=new URL(q.url,"http://x").pathname;const f=join(D,p==="/"?"index.html":p);const d=await readFile(f).catch(()=>null);if(!d){r.writeHead(404);r.end();return;}r.writeHead(200,{"content-type":T[extname(f)]??"application/octet-stream"});r.end(d);});
await new Promise(ok=>s.listen(0,"127.0.0.1",()=>ok()));
const o=`http://127.0.0.1:${s.address().port}`;
const b=await chromium.launch({executablePath:process.env.CH,args:["--no-sandbox","--disable-gpu"]});
const only=process.argv.slice(2);
for(const [w,scheme] of [[1440,"light"],[400,"dark"]]){
  const ctx=await b.newContext({viewport:{width:w,height:w===400?850:900},colorScheme:scheme,acceptDownloads:true});
  const p=await ctx.newPage();
  p.on("console",m=>{if(["error","warning"].includes(m.type()))console.log(w,"console",m.text().slice(0,300))});
  p.on("pageerror",e=>console.log(w,"pageerror",String(e).slice(0,400)));
  await p.addInitScript(()=>{delete (window).showSaveFilePicker;});
  const shot=async(n,full=false)=>{await p.waitForTimeout(350);await p.screenshot({path:`/tmp/shots/${n}-${w}.png`,fullPage:full});};
  const open=async(...n)=>{await p.goto("about:blank");await p.goto(o);await p.locator("input[type=file]").setInputFiles(n.map(x=>C+x));await p.waitForTimeout(2200);};
  const tab=async(n)=>{const t=p.getByRole("tab",{name:n,exact:false}).first();if(await t.count()===0){console.log(w,"no tab",n);return false}await t.click({timeout:4000}).catch(e=>console.log(w,"tab",n,String(e).slice(0,100)));await p.waitForTimeout(600);return true};
  const want=(n)=>only.length===0||only.includes(n);
  try{
  if(want("llama")){
    await open("llama-ggjt1-q4_0-edge.bin");
    console.log(w,await p.getByRole("tab").allInnerTexts());
    await shot("llama-top",true);
    if(await tab("Tensors"))await shot("llama-tensors");
    const row=p.locator("gguf-tensors button, gguf-tensor-table button").first();
    if(await tab("Tokenizer"))await shot("llama-tokenizer");
    if(await tab("Migrate")){await p.waitForTimeout(800);await shot("llama-migrate",true);
      const d=p.waitForEvent("download",{timeout:8000}).catch(()=>null);
      await p.getByRole("button",{name:/download/i}).last().click({timeout:4000}).catch(e=>console.log(String(e).slice(0,200)));
      await d;await p.waitForTimeout(800);await shot("llama-saved",true);}
  }
  if(want("values")){await open("llama-ggjt1-q4_2.bin");await tab("Tensors");
    await p.locator("gguf-tensor-table, gguf-tensors").first().locator(".row").nth(3).click({timeout:4000}).catch(e=>console.log(String(e).slice(0,200)));
    await p.waitForTimeout(1500);await shot("values",true);}
  if(want("ambiguous")){await open("gpt2-qnt1-q8_0.bin");await shot("ambiguous");await tab("Migrate");await shot("ambiguous-migrate",true);}
  if(want("parts")){await open("llama-ggml-q4_0-2parts.bin");await shot("part-missing");await tab("Migrate");await shot("part-missing-migrate",true);
    await open("llama-ggml-q4_0-2parts.bin","llama-ggml-q4_0-2parts.bin.1");await shot("parts");}
  if(want("broken")){await open("malformed/"+(process.env.BROKEN??"cut.bin"));await shot("broken");}
  if(want("lora")){await open("lora.ggla.bin");await tab("Migrate");await shot("lora",true);}
  }catch(e){console.log(w,String(e).slice(0,400))}
  await ctx.close();
}
await b.close();s.close();
