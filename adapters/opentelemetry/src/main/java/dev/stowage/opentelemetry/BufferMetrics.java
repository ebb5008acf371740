package dev.stowage.opentelemetry;

import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.MonitoredAllocator;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;

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

  /** Ends the metrics of the pool. */
  @Override
  public void close() {
    callback.close();
  }
}
