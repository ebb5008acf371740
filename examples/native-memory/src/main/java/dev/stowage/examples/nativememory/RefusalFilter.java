package dev.stowage.examples.nativememory;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import dev.stowage.allocator.MemoryRefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Answers requests if a budget has no room for them: with the status 429 and the text of the
 * refusal, or with 413 if no wait can help.
 */
final class RefusalFilter extends Filter {

  private static final int CONTENT_TOO_LARGE = 413;
  private static final int TOO_MANY_REQUESTS = 429;

  @Override
  public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
    try {
      chain.doFilter(exchange);
    } catch (MemoryRefusedException refused) {
      if (!refused.isPermanent()) {
        exchange.getResponseHeaders().set("Retry-After", "1");
      }
      byte[] text = refused.toString().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(
          refused.isPermanent() ? CONTENT_TOO_LARGE : TOO_MANY_REQUESTS, text.length);
      exchange.getResponseBody().write(text);
    } finally {
      exchange.close();
    }
  }

  @Override
  public String description() {
    return "refusals of a budget as answers";
  }
}
