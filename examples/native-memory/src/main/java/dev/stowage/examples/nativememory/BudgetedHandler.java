package dev.stowage.examples.nativememory;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.stowage.allocator.MemoryAccount;
import dev.stowage.allocator.MemoryAccount.Charge;
import dev.stowage.allocator.MemoryRefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Answers requests within a budget of native memory. A request that gets no memory in time is
 * answered with the status 429, and one that can never get it with 413.
 *
 * @param account the budget
 * @param longestWait the longest wait of a request for its memory
 * @param work answers a request
 */
record BudgetedHandler(MemoryAccount account, Duration longestWait, Work work)
    implements HttpHandler {

  private static final int OK = 200;
  private static final int CONTENT_TOO_LARGE = 413;
  private static final int TOO_MANY_REQUESTS = 429;

  /** The work of a request. */
  interface Work {

    /** {@return the most native bytes that the request needs} */
    long bytes(HttpExchange exchange);

    /** {@return the answer} */
    String answer(HttpExchange exchange) throws IOException;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    String holder = exchange.getRequestURI().getPath();
    try (Charge _ = account.charge(work.bytes(exchange), holder, longestWait)) {
      send(exchange, OK, work.answer(exchange));
    } catch (MemoryRefusedException refused) {
      if (!refused.isPermanent()) {
        exchange.getResponseHeaders().set("Retry-After", "1");
      }
      send(
          exchange,
          refused.isPermanent() ? CONTENT_TOO_LARGE : TOO_MANY_REQUESTS,
          refused.getMessage());
    } catch (InterruptedException stopped) {
      exchange.close();
    }
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
