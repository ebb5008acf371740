package com.example.adapters;

import dev.stowage.arrow.PoolAllocationManager;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.jmx.AllocatorManagement;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.micrometer.PoolMetrics;
import dev.stowage.netty.PoolByteBufAllocator;
import dev.stowage.opentelemetry.BufferMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.opentelemetry.api.OpenTelemetry;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Uses all adapters with one pool, and checks the jars that they bring. */
final class Main {

  /** The names of all jars, without versions. */
  private static final Set<String> JARS =
      new TreeSet<>(
          List.of(
              "HdrHistogram",
              "arrow-memory-core",
              "arrow-memory-unsafe",
              "jspecify",
              "micrometer-commons",
              "micrometer-core",
              "micrometer-observation",
              "netty-buffer",
              "netty-common",
              "netty-resolver",
              "netty-transport",
              "opentelemetry-api",
              "opentelemetry-common",
              "opentelemetry-context",
              "slf4j-api",
              "stowage-allocator",
              "stowage-arrow",
              "stowage-jmx",
              "stowage-memory",
              "stowage-micrometer",
              "stowage-netty",
              "stowage-opentelemetry",
              "stowage-plan",
              "stowage-process",
              "stowage-trace"));

  private Main() {}

  public static void main(String[] args) {
    checkJars(args[0]);
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("consumer", host, BfcOptions.expandable());
        PoolMetrics metrics = PoolMetrics.of(pool);
        BufferMetrics _ = BufferMetrics.register(OpenTelemetry.noop(), pool);
        AllocatorManagement _ = AllocatorManagement.register(pool)) {
      metrics.bindTo(registry);
      ByteBuf buffer = PoolByteBufAllocator.of(pool).buffer(1024);
      try (BufferAllocator root =
              new RootAllocator(
                  RootAllocator.configBuilder()
                      .allocationManagerFactory(PoolAllocationManager.factory(pool))
                      .build());
          ArrowBuf column = root.buffer(1024)) {
        column.setLong(0, 42);
        buffer.setLong(0, 42);
        double bytes = registry.get("stowage.pool.requested").gauge().value();
        if (bytes != 2048) {
          throw new AssertionError("expected 2048 bytes in two buffers: " + bytes);
        }
      }
      buffer.release();
    }
  }

  private static void checkJars(String nettyVersion) {
    Set<String> jars = new TreeSet<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      String name = Path.of(entry).getFileName().toString();
      if (name.endsWith(".jar")) {
        jars.add(name.replaceFirst("-[0-9].*", ""));
        if (name.startsWith("netty-") && !name.endsWith("-" + nettyVersion + ".jar")) {
          throw new AssertionError("expected Netty " + nettyVersion + ", found " + name);
        }
      }
    }
    if (!jars.equals(JARS)) {
      throw new AssertionError("expected the jars " + JARS + ", found " + jars);
    }
  }
}
