package dev.stowage.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Walls;
import org.junit.jupiter.api.Test;

/** The walls of this module. */
class WallsTest {

  private static final Walls WALLS =
      new Walls(PoolMetrics.class, "dev/stowage/micrometer")
          .withPackage("")
          .withOutside(
              "java", "dev/stowage/core/bfc", "io/micrometer/core", "org/jspecify/annotations")
          .withRequired("java.base", "dev.stowage.core", "micrometer.core")
          .withExported("dev.stowage.micrometer");

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    assertThat(WALLS.breaches()).isEmpty();
  }
}
