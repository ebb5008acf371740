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
import java.util.ArrayList;
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
   * {@code stowage.process.resident}, {@code uncharged} and {@code limit} have the resident bytes
   * of the process, those less the charged ones, and the limit of its control group. There is no
   * metric for no limit.
   *
   * @param telemetry the receiver of the metrics
   * @param account the account
   */
  public static BufferMetrics register(OpenTelemetry telemetry, MemoryAccount account) {
    Meter meter = telemetry.getMeter("dev.stowage");
    Map<String, ObservableLongMeasurement> instruments = new LinkedHashMap<>();
    for (String name : List.of("used", "reserved", "burst", "peak", "limit", "held")) {
      instruments.put(name, gauge(meter, "stowage.account." + name, "By"));
    }
    instruments.put("waiting", gauge(meter, "stowage.account.waiting", "{charge}"));
    instruments.put(
        "refused",
        meter.counterBuilder("stowage.account.refused").setUnit("{charge}").buildObserver());
    ObservableLongMeasurement resident = gauge(meter, "stowage.process.resident", "By");
    ObservableLongMeasurement uncharged = gauge(meter, "stowage.process.uncharged", "By");
    ObservableLongMeasurement limit = gauge(meter, "stowage.process.limit", "By");
    List<ObservableLongMeasurement> others = new ArrayList<>(instruments.values());
    others.addAll(List.of(uncharged, limit));
    Attributes whole = Attributes.of(ACCOUNT, account.path());
    return new BufferMetrics(
        meter.batchCallback(
            () -> {
              List<MemoryAccount.Level> levels = account.levels();
              levels.forEach(level -> record(level, instruments));
              long charged = levels.getFirst().usedBytes() - levels.getFirst().unusedBytes();
              MemoryByOwner.ownResidentBytes()
                  .ifPresent(bytes -> {
                    resident.record(bytes, whole);
                    uncharged.record(bytes - charged, whole);
                  });
              CgroupMemory.own()
                  .ifPresent(
                      group -> group.limitBytes().ifPresent(bytes -> limit.record(bytes, whole)));
            },
            resident,
            others.toArray(ObservableMeasurement[]::new)));
  }

  private static ObservableLongMeasurement gauge(Meter meter, String name, String unit) {
    return meter.upDownCounterBuilder(name).setUnit(unit).buildObserver();
  }

  private static void record(
      MemoryAccount.Level level, Map<String, ObservableLongMeasurement> instruments) {
    Attributes account = Attributes.of(ACCOUNT, level.path());
    Map<String, Long> values =
        Map.of(
            "used", level.usedBytes(),
            "reserved", level.reservedBytes(),
            "burst", level.burstBytes(),
            "peak", level.peakBytes(),
            "limit", level.limitBytes(),
            "waiting", level.waiting(),
            "refused", level.refused());
    instruments.forEach((name, instrument) -> {
      if (values.containsKey(name)) {
        if (values.get(name) < Long.MAX_VALUE) { // there is a limit
          instrument.record(values.get(name), account);
        }
      } else {
        level
            .holders()
            .forEach(holder ->
                instrument.record(
                    holder.bytes(), account.toBuilder().put(TAG, holder.tag()).build()));
      }
    });
  }

  /** Ends the metrics. */
  @Override
  public void close() {
    callback.close();
  }
}
