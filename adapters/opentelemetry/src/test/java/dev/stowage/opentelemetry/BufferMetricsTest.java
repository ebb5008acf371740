package dev.stowage.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.MemoryAccount;
import dev.stowage.allocator.SubAllocator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Metrics of an allocator as OpenTelemetry exports them. */
class BufferMetricsTest {

  /** Regions at 1 GiB, 2 GiB and so on. */
  private static final class Regions implements SubAllocator {

    private long next = 1L << 30;

    @Override
    public OptionalLong allocate(long bytes) {
      long address = next;
      next += 1L << 30;
      return OptionalLong.of(address);
    }

    @Override
    public void free(long address, long bytes) {}
  }

  private final InMemoryMetricReader reader = InMemoryMetricReader.create();
  private final OpenTelemetrySdk telemetry =
      OpenTelemetrySdk.builder()
          .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(reader).build())
          .build();
  private final BfcAllocator allocator =
      new BfcAllocator("tensors", new Regions(), BfcOptions.growing().withFirstRegion(1 << 20));

  @AfterEach
  void close() {
    allocator.close();
    telemetry.close();
  }

  /** {@return each metric with its unit, pool and value, sorted} */
  private List<String> collected() {
    List<String> lines = new ArrayList<>();
    for (MetricData metric : reader.collectAllMetrics()) {
      for (LongPointData point : metric.getLongSumData().getPoints()) {
        lines.add(
            String.format(
                Locale.ROOT,
                "%s %s %s %d",
                metric.getName(),
                metric.getUnit(),
                point.getAttributes().get(AttributeKey.stringKey("jvm.buffer.pool.name")),
                point.getValue()));
      }
    }
    return lines.stream().sorted().toList();
  }

  @Test
  void metrics_ofAnAllocator_haveTheNamesOfTheConventions() {
    try (BufferMetrics _ = BufferMetrics.register(telemetry, allocator)) {
      allocator.allocate(1000);
      allocator.allocate(2000);
      assertThat(collected())
          .containsExactly(
              "jvm.buffer.count {buffer} tensors 2",
              "jvm.buffer.memory.limit By tensors 1048576",
              "jvm.buffer.memory.used By tensors 3072");
    }
  }

  @Test
  void metrics_ofTwoAllocators_areSeparate() {
    try (BfcAllocator other = new BfcAllocator("other", new Regions(), BfcOptions.growing());
        BufferMetrics _ = BufferMetrics.register(telemetry, allocator);
        BufferMetrics _ = BufferMetrics.register(telemetry, other)) {
      allocator.allocate(1000);
      assertThat(collected())
          .contains("jvm.buffer.memory.used By tensors 1024", "jvm.buffer.memory.used By other 0");
    }
  }

  @Test
  void close_ofTheMetrics_endsThem() {
    BufferMetrics.register(telemetry, allocator).close();
    assertThat(collected()).isEmpty();
  }

  @Test
  void metrics_ofAnAccount_haveUseAndHoldersByLevelAndTag() {
    MemoryAccount service = MemoryAccount.root("service", 1000);
    MemoryAccount search = service.child("search", 200, Long.MAX_VALUE);
    search.charge(400, "index").resize(300);
    assertThat(service.tryCharge(701, "embed")).isEmpty();
    try (BufferMetrics _ = BufferMetrics.register(telemetry, service)) {
      List<String> lines = new ArrayList<>();
      List<String> processes = new ArrayList<>();
      for (MetricData metric : reader.collectAllMetrics()) {
        for (LongPointData point : metric.getLongSumData().getPoints()) {
          if (metric.getName().startsWith("stowage.account")) {
            lines.add(
                metric.getName()
                    + " "
                    + String.join(
                        " ",
                        point.getAttributes().asMap().values().stream()
                            .map(String::valueOf)
                            .toList())
                    + " "
                    + point.getValue());
          } else {
            processes.add(metric.getName());
            assertThat(point.getValue()).isPositive();
            assertThat(point.getAttributes().get(AttributeKey.stringKey("stowage.account")))
                .isEqualTo("service");
          }
        }
      }
      assertThat(processes)
          .contains("stowage.process.resident", "stowage.process.uncharged")
          .isSubsetOf(
              "stowage.process.resident", "stowage.process.uncharged", "stowage.process.limit");
      assertThat(lines)
          .containsExactlyInAnyOrder(
              "stowage.account.used service 300",
              "stowage.account.used service/search 300",
              "stowage.account.reserved service 0",
              "stowage.account.reserved service/search 200",
              "stowage.account.burst service 300",
              "stowage.account.burst service/search 100",
              "stowage.account.limit service 1000",
              "stowage.account.peak service 400",
              "stowage.account.peak service/search 400",
              "stowage.account.waiting service 0",
              "stowage.account.waiting service/search 0",
              "stowage.account.refused service 1",
              "stowage.account.refused service/search 0",
              "stowage.account.held service index 300",
              "stowage.account.held service/search index 300");
    }
  }
}
