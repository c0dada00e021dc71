package pgwire

// insertStmt reads INSERT INTO … VALUES … [RETURNING …].
func (p *parser) insertStmt() (statement, *failure) {
	if err := p.expect("into"); err != nil {
		return nil, err
	}
	table, err := p.target()
	if err != nil {
		return nil, err
	}
	stmt := &insertStmt{into: *table}
	if p.accept("(") {
		for {
			name, err := p.name()
			if err != nil {
				return nil, err
			}
			stmt.columns = append(stmt.columns, name)
			if !p.accept(",") {
				break
			}
		}
		if err := p.expect(")"); err != nil {
			return nil, err
		}
	}
	if t := p.peek(); t.is("select") || t.is("default") || t.is("overriding") {
		return nil, failf(stateUnsupported, "INSERT takes VALUES only").near(t)
	}
	if err := p.expect("values"); err != nil {
		return nil, err
	}
	if err := p.valueRows(stmt); err != nil {
		return nil, err
	}
	if t := p.peek(); t.is("on") {
		return nil, failf(stateUnsupported, "ON CONFLICT is not supported").near(t)
	}
	if p.accept("returning") {
		stmt.returning, err = p.items()
	}
	return stmt, err
}

// target reads the table that a statement writes to.
func (p *parser) target() (*tableName, *failure) {
	table, err := p.tableName()
	if err == nil && table.alias == "" {
		table.alias = table.name
	}
	return table, err
}

func (p *parser) valueRows(stmt *insertStmt) *failure {
	for {
		if err := p.expect("("); err != nil {
			return err
		}
		row := make([]expr, 0, max(len(stmt.columns), 4))
		for {
			used := len(p.params)
			e, err := p.expr()
			if err != nil {
				return err
			}
			if e.kind == paramExpr && len(row) < len(stmt.columns) {
				p.params[used].column = stmt.columns[len(row)].text
			}
			row = append(row, e)
			if !p.accept(",") {
				break
			}
		}
		if err := p.expect(")"); err != nil {
			return err
		}
		if n := len(stmt.columns); n > 0 && len(row) != n || len(stmt.rows) > 0 && len(row) != len(stmt.rows[0]) {
			return failf(stateSyntax, "VALUES lists must all be as long as the list of columns").near(p.peek())
		}
		stmt.rows = append(stmt.rows, row)
		if !p.accept(",") {
			return nil
		}
	}
}

// deleteStmt reads DELETE FROM … [WHERE …].
func (p *parser) deleteStmt() (statement, *failure) {
	if err := p.expect("from"); err != nil {
		return nil, err
	}
	table, err := p.target()
	if err != nil {
		return nil, err
	}
	stmt := &deleteStmt{from: *table}
	if p.accept("where") {
		stmt.where, err = p.conditions()
	}
	return stmt, err
}
