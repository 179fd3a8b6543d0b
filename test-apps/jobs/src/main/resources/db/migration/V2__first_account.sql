INSERT INTO accounts (id, balance) VALUES (1, 0);
