package dev.stowage.examples.nativememory;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.stowage.allocator.MemoryAccount;
import dev.stowage.allocator.MemoryAccount.Charge;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that charges each request to a child of its budget. */
class RefusalFilterTest {

  private static final int BYTES = 98_304;

  private final MemoryAccount server = MemoryAccount.root("server", 1 << 20);
  private final MemoryAccount flight = server.child("flight", 0, 262_144);
  private HttpServer http;

  @BeforeEach
  void start() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext(
            "/",
            exchange -> {
              long bytes = BYTES * (exchange.getRequestURI().getPath().length() - 1L);
              try (Charge _ = flight.charge(bytes, "requests")) {
                exchange.sendResponseHeaders(200, -1);
              }
            })
        .getFilters()
        .add(new RefusalFilter());
    http.start();
  }

  @AfterEach
  void stop() {
    http.stop(0);
  }

  private HttpResponse<String> answer(String path) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI address = URI.create("http://localhost:" + http.getAddress().getPort() + path);
      return client.send(
          HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void requests_whileOthersHoldTheBudget_areAnsweredWith429() throws Exception {
    try (Charge _ = flight.charge(197_104, "messages")) {
      HttpResponse<String> refused = answer("/1");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
      assertThat(refused.body())
          .isEqualTo(
              "account 'server/flight' is out of memory: 96 KiB (98,304 bytes) requested for"
                  + " 'requests'. Its limit is 32.5 KiB (33,264 bytes) too low. In use: 192.5 KiB;"
                  + " limit: 256 KiB (262,144 bytes). Holders: 'messages' 192.5 KiB in 1 charge."
                  + " Try again when charges have ended, or wait with a timeout.");
    }
    assertThat(answer("/1").statusCode()).isEqualTo(200);
  }

  @Test
  void request_aboveTheLimit_isAnsweredWith413() throws Exception {
    HttpResponse<String> refused = answer("/333");
    assertThat(refused.statusCode()).isEqualTo(413);
    assertThat(refused.body())
        .isEqualTo(
            "account 'server/flight' is out of memory: 288 KiB (294,912 bytes) requested for"
                + " 'requests'. Its limit is 32 KiB (32,768 bytes) too low. In use: 0 bytes; limit:"
                + " 256 KiB (262,144 bytes). No wait can help: ask for less, or raise the limit.");
  }
}
