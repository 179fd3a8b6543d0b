package com.acme.shop;

import java.sql.PreparedStatement;
import java.util.List;
import java.util.Objects;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Repository;

/** Stores the orders in a table. Only Spring references this class. */
@Repository
class JdbcOrderStore implements OrderStore {
  private final JdbcTemplate jdbc;

  JdbcOrderStore(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  @Override
  public long save(String item) {
    KeyHolder key = new GeneratedKeyHolder();
    jdbc.update(
        connection -> {
          PreparedStatement insert =
              connection.prepareStatement(
                  "INSERT INTO orders (item) VALUES (?)", new String[] {"ID"});
          insert.setString(1, item);
          return insert;
        },
        key);
    return Objects.requireNonNull(key.getKey()).longValue();
  }

  @Override
  public List<Order> all() {
    return jdbc.query(
        "SELECT id, item FROM orders ORDER BY id",
        (row, number) -> new Order(row.getLong("id"), row.getString("item")));
  }
}
