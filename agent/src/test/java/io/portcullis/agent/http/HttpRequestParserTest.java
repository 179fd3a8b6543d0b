package io.portcullis.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.portcullis.agent.http.HttpRequestParser.BadRequestException;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRequestParserTest {

  private static HttpRequestParser reader(String bytes) {
    return new HttpRequestParser(
        new ByteArrayInputStream(bytes.getBytes(StandardCharsets.ISO_8859_1)), "127.0.0.1");
  }

  private static int refusal(String bytes) {
    return catchThrowableOfType(BadRequestException.class, () -> reader(bytes).next())
        .toResponse()
        .status();
  }

  @Test
  void consecutiveRequestsAreParsed() throws IOException, BadRequestException {
    HttpRequestParser reader =
        reader(
            String.join(
                "\r\n",
                "POST /api/drain?x=1 HTTP/1.1",
                "Host: a",
                "content-LENGTH: 2",
                "Authorization: bearer  abc ",
                "",
                "{}",
                "GET / HTTP/1.1",
                "Host: a",
                "Connection: Close",
                "",
                ""));

    HttpRequest first = Objects.requireNonNull(reader.next());
    HttpRequest second = Objects.requireNonNull(reader.next());

    assertThat(first.method()).isEqualTo("POST");
    assertThat(first.path()).isEqualTo("/api/drain");
    assertThat(first.body()).isEqualTo("{}");
    assertThat(first.bearerToken()).contains("abc");
    assertThat(first.last()).isFalse();
    assertThat(second.path()).isEqualTo("/");
    assertThat(second.last()).isTrue();
    assertThat(reader.next()).isNull();
  }

  @Test
  void requestToStringHidesTheToken() throws IOException, BadRequestException {
    assertThat(
            reader("GET /a?token=abc HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer abc\r\n\r\n")
                .next())
        .hasToString("GET /a");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | GET / HTTP/1.1 more",
        "400 | GET  / HTTP/1.1",
        "400 | GET http://a/ HTTP/1.1",
        "400 | G(T / HTTP/1.1",
        "505 | GET / HTTP/2.0",
        "400 | GET / HTTP/1.1~nocolon",
        "400 | GET / HTTP/1.1~Host : a",
        "400 | GET / HTTP/1.1~Host: a~ folded",
        "400 | GET / HTTP/1.1~Host: a~Host: b",
        "400 | GET / HTTP/1.1",
        "400 | POST / HTTP/1.1~Host: a~Content-Length: -5",
        "400 | POST / HTTP/1.1~Host: a~Content-Length: +5",
        "400 | POST / HTTP/1.1~Host: a~Content-Length: 5~Content-Length: 6",
        "400 | POST / HTTP/1.1~Host: a~Content-Length: 99999999999999999999999",
        "413 | POST / HTTP/1.1~Host: a~Content-Length: 2147483647",
        "411 | POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked",
        "411 | POST / HTTP/1.1~Host: a~Transfer-Encoding: x~Content-Length: 5",
      })
  void ambiguousOrOversizedRequestIsRefused(int status, String head) {
    assertThat(refusal(head.strip().replace("~", "\r\n") + "\r\n\r\n")).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(chars = {'\0', '\u000b', '\f', '\u001c', '\u001f', '\u007f'})
  void controlCharactersInHeadersAreRefused(char control) {
    for (String value :
        List.of(control + "a", " " + control + "a", "a" + control, "a" + control + "b")) {
      assertThat(refusal("GET / HTTP/1.1\r\nHost: " + value + "\r\n\r\n")).isEqualTo(400);
    }
  }

  @Test
  void linesMustEndWithCrLf() {
    assertThat(refusal("GET / HTTP/1.1\nHost: a\n\n")).isEqualTo(400);
    assertThat(refusal("GET / HTTP/1.1\rHost: a\r\r")).isEqualTo(400);
  }

  @Test
  void endlessHeadersAreRefusedBeforeTheyAreStored() {
    assertThat(refusal("GET / HTTP/1.1\r\nHost: a\r\n" + "X: y\r\n".repeat(10_000))).isEqualTo(431);
    assertThat(refusal("x".repeat(100_000))).isEqualTo(431);
  }

  @Test
  void truncatedRequestIsAnEndOfFile() {
    assertThatThrownBy(() -> reader("GET / HT").next()).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> reader("GET / HTTP/1.1\r\nHost: a\r\n").next())
        .isInstanceOf(EOFException.class);
    assertThatThrownBy(
            () -> reader("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc").next())
        .isInstanceOf(EOFException.class);
  }
}
