package dev.stowage.opentelemetry;

import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.MemoryAccount;
import dev.stowage.allocator.MonitoredAllocator;
import dev.stowage.process.CgroupMemory;
import dev.stowage.process.MemoryByOwner;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The metrics of an allocator or a pool by OpenTelemetry's semantic conventions for the buffer
 * pools of a JVM.
 *
 * <pre>{@code
 * BufferMetrics metrics = BufferMetrics.register(openTelemetry, pool);
 * }</pre>
 *
 * <p>Dashboards for the JVM's own buffers also show the pool: {@code jvm.buffer.memory.used} has
 * the bytes in use, {@code jvm.buffer.memory.limit} the bytes that the pool holds from the system,
 * and {@code jvm.buffer.count} the number of allocations in use. The attribute {@code
 * jvm.buffer.pool.name} has the name of the pool.
 */
public final class BufferMetrics implements AutoCloseable {

  private static final AttributeKey<String> POOL_NAME =
      AttributeKey.stringKey("jvm.buffer.pool.name");

  private static final AttributeKey<String> ACCOUNT = AttributeKey.stringKey("stowage.account");
  private static final AttributeKey<String> TAG = AttributeKey.stringKey("stowage.tag");

  private final BatchCallback callback;

  private BufferMetrics(BatchCallback callback) {
    this.callback = callback;
  }

  /**
   * {@return the metrics of a pool; they refer to the pool until they are closed}
   *
   * @param telemetry the receiver of the metrics
   * @param pool the pool or allocator
   */
  public static BufferMetrics register(OpenTelemetry telemetry, MonitoredAllocator pool) {
    Meter meter = telemetry.getMeter("dev.stowage");
    ObservableLongMeasurement used =
        meter
            .upDownCounterBuilder("jvm.buffer.memory.used")
            .setDescription("Measure of memory used by buffers.")
            .setUnit("By")
            .buildObserver();
    ObservableLongMeasurement limit =
        meter
            .upDownCounterBuilder("jvm.buffer.memory.limit")
            .setDescription("Measure of total memory capacity of buffers.")
            .setUnit("By")
            .buildObserver();
    ObservableLongMeasurement count =
        meter
            .upDownCounterBuilder("jvm.buffer.count")
            .setDescription("Number of buffers in the pool.")
            .setUnit("{buffer}")
            .buildObserver();
    Attributes attributes = Attributes.of(POOL_NAME, pool.name());
    return new BufferMetrics(
        meter.batchCallback(
            () -> {
              AllocatorStatistics statistics = pool.statistics();
              used.record(statistics.bytesInUse(), attributes);
              limit.record(statistics.reservedBytes(), attributes);
              count.record(statistics.chunksInUse(), attributes);
            },
            used,
            limit,
            count));
  }

  /**
   * {@return the metrics of an account and of the accounts below it; they refer to it until they
   * are closed}
   *
   * <p>{@code stowage.account.used}, {@code reserved}, {@code burst}, {@code peak}, {@code limit},
   * {@code waiting} and {@code refused} have the attribute {@code stowage.account}, the path of an
   * account. {@code stowage.account.held} also has {@code stowage.tag}: the tag of the charges.
   * {@code stowage.process.resident}, {@code limit} and {@code uncharged} have the resident bytes
   * of the process, the limit of its control group, and the resident bytes less the charged ones. A
   * limit that does not exist has no value.
   *
   * @param telemetry the receiver of the metrics
   * @param account the account
   */
  public static BufferMetrics register(OpenTelemetry telemetry, MemoryAccount account) {
    Meter meter = telemetry.getMeter("dev.stowage");
    Map<String, ObservableLongMeasurement> instruments = new LinkedHashMap<>();
    for (String name : List.of("used", "reserved", "burst", "peak", "limit")) {
      instruments.put("account." + name, gauge(meter, "account." + name, "By"));
    }
    for (String name : List.of("resident", "limit", "uncharged")) {
      instruments.put("process." + name, gauge(meter, "process." + name, "By"));
    }
    instruments.put("account.waiting", gauge(meter, "account.waiting", "{charge}"));
    instruments.put(
        "account.refused",
        meter.counterBuilder("stowage.account.refused").setUnit("{charge}").buildObserver());
    ObservableLongMeasurement held = gauge(meter, "account.held", "By");
    return new BufferMetrics(
        meter.batchCallback(
            () -> {
              List<MemoryAccount.Level> levels = account.levels();
              record(instruments, processValues(levels.getFirst()), account.path());
              for (MemoryAccount.Level level : levels) {
                record(instruments, values(level), level.path());
                level
                    .holders()
                    .forEach(holder ->
                        held.record(
                            holder.bytes(),
                            Attributes.of(ACCOUNT, level.path(), TAG, holder.tag())));
              }
            },
            held,
            instruments.values().toArray(ObservableMeasurement[]::new)));
  }

  private static ObservableLongMeasurement gauge(Meter meter, String name, String unit) {
    return meter.upDownCounterBuilder("stowage." + name).setUnit(unit).buildObserver();
  }

  private static void record(
      Map<String, ObservableLongMeasurement> instruments, Map<String, Long> values, String path) {
    instruments.forEach((name, instrument) -> {
      if (values.containsKey(name)) {
        instrument.record(values.get(name), Attributes.of(ACCOUNT, path));
      }
    });
  }

  private static Map<String, Long> values(MemoryAccount.Level level) {
    Map<String, Long> values = new HashMap<>();
    values.put("account.used", level.usedBytes());
    values.put("account.reserved", level.reservedBytes());
    values.put("account.burst", level.burstBytes());
    values.put("account.peak", level.peakBytes());
    values.put("account.waiting", level.waiting());
    values.put("account.refused", level.refused());
    if (level.limitBytes() < Long.MAX_VALUE) {
      values.put("account.limit", level.limitBytes());
    }
    return values;
  }

  private static Map<String, Long> processValues(MemoryAccount.Level level) {
    Map<String, Long> values = new HashMap<>();
    CgroupMemory.own()
        .ifPresent(
            group -> group.limitBytes().ifPresent(limit -> values.put("process.limit", limit)));
    MemoryByOwner.ownResidentBytes()
        .ifPresent(resident -> {
          values.put("process.resident", resident);
          values.put("process.uncharged", resident - level.usedBytes() + level.unusedBytes());
        });
    return values;
  }

  /** Ends the metrics. */
  @Override
  public void close() {
    callback.close();
  }
}
