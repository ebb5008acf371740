package dev.stowage.examples.serving;

import dev.stowage.memory.device.HostMemory;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * Serves a trace of requests, and prints the memory of their caches in four ways to allocate it.
 */
public final class ServingExample {

  private static final int BLOCK_TOKENS = 16;
  private static final long GPU_GRANULE_BYTES = 2 << 20;
  private static final double GIB = 1 << 30;

  private ServingExample() {}

  /**
   * Runs the example.
   *
   * @param args the file of the trace
   * @throws IOException if the file cannot be read
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      System.err.println("expected one argument, a trace: TIMESTAMP,ContextTokens,GeneratedTokens");
      System.exit(2);
    }
    print(ServedModel.LLAMA_3_8B, Request.read(Path.of(args[0])), System.out);
  }

  static void print(ServedModel model, List<Request> requests, PrintStream out) {
    List<Usage> usages = serve(model, requests);
    Usage used = usages.getFirst();
    out.printf(
        Locale.ROOT,
        "%d requests, at most %d at a time%n%-34s %10s %10s %10s%n",
        requests.size(),
        used.maxRequestCount(),
        "",
        "mean GiB",
        "over used",
        "peak GiB");
    for (Usage usage : usages) {
      out.printf(
          Locale.ROOT,
          "%-34s %10.2f %9.1f%% %10.2f%n",
          usage.name(),
          usage.meanBytes() / GIB,
          100.0 * (usage.sumBytes() - used.sumBytes()) / used.sumBytes(),
          usage.peakBytes() / GIB);
    }
  }

  /** {@return the bytes in use, and the bytes of each way, at each second until the last token} */
  static List<Usage> serve(ServedModel model, List<Request> requests) {
    Usage used = new Usage("used");
    Usage pages = new Usage("GrowingMemory, pages of the host");
    Usage granules = new Usage("GrowingMemory, granules of 2 MiB");
    Usage blocks = new Usage("blocks of 16 tokens");
    Usage full = new Usage("the full context");
    Iterator<Request> arrivals = requests.iterator();
    Request next = arrivals.next();
    boolean hasNext = true;
    List<RequestCache> caches = new ArrayList<>();
    try (HostMemory host = HostMemory.open()) {
      for (int second = 0; hasNext || !caches.isEmpty(); second++) {
        while (hasNext && next.arrivalSeconds() <= second) {
          caches.add(new RequestCache(model, next, host));
          hasNext = arrivals.hasNext();
          next = hasNext ? arrivals.next() : next;
        }
        for (RequestCache cache : caches) {
          long tokens = cache.tokens(second);
          cache.grow((int) tokens);
          long layerBytes = tokens * model.tokenBytes();
          used.add(model.layerCount() * layerBytes);
          pages.add(cache.committedBytes());
          granules.add(model.layerCount() * ceiling(layerBytes, GPU_GRANULE_BYTES));
          blocks.add(model.layerCount() * ceiling(tokens, BLOCK_TOKENS) * model.tokenBytes());
          full.add(model.layerCount() * model.tokenBytes() * model.maxTokens());
        }
        List.of(used, pages, granules, blocks, full).forEach(Usage::endSecond);
        int now = second;
        List<RequestCache> done = caches.stream().filter(cache -> cache.isDone(now)).toList();
        caches.removeAll(done);
        done.forEach(RequestCache::close);
      }
    }
    return List.of(used, pages, blocks, granules, full);
  }

  private static long ceiling(long amount, long unit) {
    return (amount + unit - 1) / unit * unit;
  }
}
