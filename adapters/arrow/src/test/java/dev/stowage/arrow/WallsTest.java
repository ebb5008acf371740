package dev.stowage.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Walls;
import org.junit.jupiter.api.Test;

/** The walls of this module. */
class WallsTest {

  private static final Walls WALLS =
      new Walls(PoolAllocationManager.class, "dev/stowage/arrow")
          .withPackage("")
          .withOutside(
              "java",
              "dev/stowage/core/bfc",
              "dev/stowage/memory/pool",
              "org/apache/arrow/memory",
              "org/jspecify/annotations")
          .withRequired("java.base", "dev.stowage.memory", "org.apache.arrow.memory.core")
          .withExported("dev.stowage.arrow");

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    assertThat(WALLS.breaches()).isEmpty();
  }
}
