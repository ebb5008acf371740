package dev.stowage.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Walls;
import org.junit.jupiter.api.Test;

/** The walls of this module. */
class WallsTest {

  private static final Walls WALLS =
      new Walls(PoolByteBufAllocator.class, "dev/stowage/netty")
          .withPackage("")
          .withOutside(
              "java",
              "dev/stowage/core/bfc",
              "dev/stowage/memory/pool",
              "io/netty/buffer",
              "io/netty/util",
              "org/jspecify/annotations")
          .withRequired("java.base", "dev.stowage.memory", "io.netty.buffer", "io.netty.common")
          .withExported("dev.stowage.netty");

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    assertThat(WALLS.breaches()).isEmpty();
  }
}
