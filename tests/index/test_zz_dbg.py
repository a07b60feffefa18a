import tests.index.test_scores as t, tests.index.plain as pl
import mnemic.index.lexical.score as sc
LIB={}; REF={}
o_near, o_prox, o_fb = sc.with_near_words, sc.proximity, sc.feedback
def near(*a):
    r=o_near(*a); LIB["terms"]=dict(r[0]); LIB["occur"]=list(r[1]); return r
def prox(v,c,s,*a):
    r=o_prox(v,c,s,*a); LIB["prox"]=r; LIB["alive"]=v.alive; LIB["s0"]=s; return r
def fb(v,c,s,*a):
    r=o_fb(v,c,s,*a); LIB["fb"]=[(w,x,len(l[0])) for w,x,l in r]; LIB["s1"]=s; return r
sc.with_near_words, sc.proximity, sc.feedback = near, prox, fb
o_s, o_sh = pl.PlainIndex.sought, pl.PlainIndex.shared_words
def sought(self,q):
    r=o_s(self,q); REF["terms"]=r; return r
def sh(self,scores,p,b):
    r=o_sh(self,scores,p,b); REF["fb"]=r; REF["s1"]=scores; return r
pl.PlainIndex.sought, pl.PlainIndex.shared_words = sought, sh
orig = t.check
def check(hits, expected, near):
    try: orig(hits, expected, near)
    except AssertionError:
        print("BAD ---")
        print("BAD T", LIB["terms"]); print("BAD T", REF["terms"])
        print("BAD S", [round(float(x),5) for x in LIB["s1"][LIB["alive"]]]); print("BAD S", [round(x,5) for x in REF["s1"]])
        print("BAD F", [(w,round(x,6),n) for w,x,n in LIB["fb"]]); print("BAD F", [(w,round(x,6)) for w,x in REF["fb"].items()])
        raise
t.check = check
from tests.index.test_scores import *
import hypothesis
for f in (test_scores_by_words_are_those_of_the_reference, test_scores_by_words_and_vectors_are_those_of_the_reference):
    f._hypothesis_internal_use_settings = hypothesis.settings(max_examples=700, deadline=None, phases=(hypothesis.Phase.generate,), database=None, suppress_health_check=list(hypothesis.HealthCheck))
del test_sealing_changes_nothing
