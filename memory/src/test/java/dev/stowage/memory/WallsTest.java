package dev.stowage.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.Walls;
import org.junit.jupiter.api.Test;

/** The walls of memory: its packages, their uses, and the exports of the module. */
class WallsTest {

  private static final Walls WALLS =
      new Walls(HostMemory.class, "dev/stowage/memory")
          .withPackage("lifetime")
          .withPackage("device", "lifetime")
          .withPackage("pool", "device", "lifetime")
          .withPackage("synced", "device", "lifetime", "pool")
          .withPackage("tensor", "device", "lifetime", "pool", "synced")
          .withOutside(
              "java",
              "com/sun/management",
              "dev/stowage/core/bfc",
              "dev/stowage/core/slab",
              "org/jspecify/annotations")
          .withClocksIn("dev/stowage/memory/lifetime/Deadline")
          .withThreadsIn("dev/stowage/memory/lifetime/UnclosedReport")
          .withRequired("java.base", "jdk.management", "dev.stowage.core")
          .withExported(
              "dev.stowage.memory.device",
              "dev.stowage.memory.pool",
              "dev.stowage.memory.synced",
              "dev.stowage.memory.tensor");

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    assertThat(WALLS.breaches()).isEmpty();
  }
}
