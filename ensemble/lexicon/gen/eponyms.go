package main

// furtherEponyms name scores, signs, manoeuvres, instruments and stains and are not in the list of
// diseases. Those that are common names are left out: their context decides ("Wells score", "Kelly
// clamp").
const furtherEponyms = `adson allis amsler apgar apley babcock babinski ballard balfour berg bookwalter bovie braden braxton breslow
brudzinski broviac burch cattell centor charnley chvostek cobb coban cormack coude crede cullen deaver debakey dobhoff doppler duchenne
epworth fick finkelstein fogarty foley folstein framingham frye fuhrman gelpi giemsa gleason goldmann gram groshong heaney hegar
hemovac hickmann hohmann holter homans hoyer ishihara jaeger jamar jobe karnofsky kegel kelman kerlix kernig kirschner kocher lachman lehane
leopold likert ludloff lugol mahurkar malecot mallampati mcburney mcmurray metzenbaum morse neer papanicolaou penfield
penrose pfannenstiel phalen pugh quinton ranson rinne romberg rorschach rovsing sengstaken seldinger snellen spurling steinmann
ganz tenckhoff tinel tinetti trendelenburg trousseau valsalva veress wechsler weitlaner whipple yankauer yergason ziehl neelsen zubrod`
