-- The roles are the server's: other databases of it may need the limits as they are.
select;
