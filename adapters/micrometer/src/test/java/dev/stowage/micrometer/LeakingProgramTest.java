package dev.stowage.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.MemoryPool;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program that leaks, as Prometheus sees it. */
class LeakingProgramTest {

  private static final Path GUIDE =
      Path.of(System.getProperty("stowage.root")).resolve("docs/observability.md");

  private final MockClock clock = new MockClock();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), clock);
  private final List<Arena> leaked = new ArrayList<>();

  @Test
  void scrape_ofALeakingProgram_isTheOneOfTheGuide() throws IOException {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool =
            MemoryPool.open("tensors", host, BfcOptions.expandable().withLimit(64 << 20));
        PoolMetrics metrics = PoolMetrics.of(pool)) {
      metrics.bindTo(registry);
      Arena weights = pool.openArena();
      AllocationTag.of("weights").run(() -> weights.allocate(10 << 20));
      run(pool, 100);
      List<String> before = scrape();
      run(pool, 100);
      List<String> after = scrape();
      String guide = Files.readString(GUIDE);
      assertThat(guide).contains(String.join("\n", before));

      assertThat(guide).contains(String.join("\n", heldDifferences(before, after)));
      assertThatThrownBy(() -> run(pool, 1_000_000))
          .isInstanceOfSatisfying(
              BfcOutOfMemoryException.class,
              failure ->
                  assertThat(failure.report().toString())
                      .startsWith("allocator 'tensors': 63.9 MiB in use")
                      .contains("53.9 MiB in 552 allocations: requests"));
      leaked.forEach(Arena::close);
      weights.close();
    }
    assertThat(scrape()).isEmpty();
  }

  /** Runs requests, of which one in ten does not close its arena. */
  private void run(MemoryPool pool, int requests) {
    for (int i = 0; i < requests; i++) {
      Arena arena = pool.openArena();
      AllocationTag.of("requests").run(() -> arena.allocate(100_000));
      if (i % 10 == 9) {
        leaked.add(arena);
      } else {
        arena.close();
      }
    }
    clock.add(Duration.ofSeconds(15));
  }

  /** {@return the lines of a scrape, without descriptions} */
  private List<String> scrape() {
    registry.scrape(); // finds tags
    clock.add(Duration.ofSeconds(15));
    return registry.scrape().lines().filter(line -> !line.startsWith("#")).toList();
  }

  private static List<String> heldDifferences(List<String> before, List<String> after) {
    return after.stream()
        .filter(line -> line.startsWith("stowage_pool_held") && !before.contains(line))
        .toList();
  }
}
