package com.acme.shop;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers 500 to every exception, by itself or with the error page; off by default. */
@RestControllerAdvice
@ConditionalOnProperty("shop.errors.handled")
class ShopErrors {
  @ExceptionHandler(Exception.class)
  ResponseEntity<String> failed(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getParameter("page") != null) {
      response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR, "failed");
      return null;
    }
    return ResponseEntity.internalServerError().body("The shop failed.");
  }
}
