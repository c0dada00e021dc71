package rtf

// word takes a control word that does not begin a group.
func (p *parser) word(t token) error {
	meaning := p.words[string(t.name)]
	starred := p.starred
	p.starred = false
	switch {
	case meaning.class == classDropped, starred && meaning.class <= classCharacter,
		meaning.class == classFonts, meaning.class == classColours, meaning.class == classStyles:
		p.scan.at -= len(t.raw)
		return p.rest()
	case p.state.mode == modeHolder:
	case string(t.name) == "u":
		return p.unicode(t)
	case meaning.class == classLayout:
		return p.layout(t)
	case meaning.class == classBreak:
		p.keepWord(t.raw)
		p.b.Gap(string(meaning.shown))
		return nil
	case meaning.class == classCharacter:
		p.unit(string(meaning.shown), t.raw, t.delimited)
		return nil
	case meaning.class == classHolding:
		p.state.mode = modeHolder
	}
	p.b.Drop(t.raw)
	return nil
}

// layout keeps a word of layout, and does what it does to text.
func (p *parser) layout(t token) error {
	if t.param > maxLayout || t.param < -maxLayout {
		p.b.Drop(t.raw)
		return nil
	}
	switch string(t.name) {
	case "uc":
		n := 1
		if t.has {
			n = t.param
		}
		if n < 0 || n > maxFallback {
			return p.scan.fail("a character's number has too many substitutes")
		}
		p.state.fallback = uint8(n)
	case "f":
		p.state.font = t.param
	case "deff":
		p.deff = t.param
		p.state.font = p.deff
	case "plain":
		p.state.font = p.deff
		p.state.hidden = false
	case "v":
		p.state.hidden = !t.has || t.param != 0
	case "ansicpg":
		p.page = codePage(t.param)
	case "mac":
		p.page = 10000
	case "pc":
		p.page = 437
	case "pca":
		p.page = 850
	}
	p.keepWord(t.raw)
	return nil
}

// symbol takes a control symbol.
func (p *parser) symbol(t token) error {
	if t.param == '*' {
		p.starred = true
		p.b.Drop(t.raw)
		return nil
	}
	if p.state.mode == modeHolder {
		p.b.Drop(t.raw)
		return nil
	}
	switch t.param {
	case '\\', '{', '}':
		p.unit(string(rune(t.param)), t.raw, true)
	case '~', ' ':
		p.unit(" ", t.raw, true)
	case '_':
		p.unit("-", t.raw, true)
	case '-':
		p.unit("", t.raw, true)
	case '\r', '\n':
		p.keep(t.raw) // a paragraph, as \par
		p.b.Gap("\n")
	case '\t':
		p.unit("\t", t.raw, true)
	default:
		p.character(rune(t.raw[1]), t.raw, false) // no symbol that is known: most likely a character that needs no escape
	}
	return nil
}
