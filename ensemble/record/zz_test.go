package record
import ("testing";"fmt";"github.com/pgdeid/pgdeid/ensemble/text";"os")
func TestZZ(t *testing.T){
 s:=os.Getenv("ZZ")
 g:=NewGazetteer(Record{NameFirst:{"Aaron"},NameLast:{"Morgan"},Email:{"aaron.morgan@example.com"},City:{"Hartford"},NameAlias:{"Ron Morgan","Aaron Morgan"},RelativeName:{"Kristin Deriesen","Paris Phillips","Renencia S Braden"},MRN:{"E4863352"}})
 r,_:=g.readingOf(text.NewView(s),everything)
 if os.Getenv("ZV")!="" { for i:=range r.toks { fmt.Printf("%q like %d kind %d word %+v\n", r.tok(i), r.likeness(i), r.toks[i].Kind, g.words[r.keys[i].Hash]) }}
 fmt.Printf("%q\n",written(s,findIn(t,g,s)))
}
