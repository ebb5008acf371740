package dev.stowage.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Walls;
import org.junit.jupiter.api.Test;

/** The walls of this module. */
class WallsTest {

  private static final Walls WALLS =
      new Walls(BufferMetrics.class, "dev/stowage/opentelemetry")
          .withPackage("")
          .withOutside(
              "java", "dev/stowage/core/bfc", "io/opentelemetry/api", "org/jspecify/annotations")
          .withRequired("java.base", "dev.stowage.core", "io.opentelemetry.api")
          .withExported("dev.stowage.opentelemetry");

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    assertThat(WALLS.breaches()).isEmpty();
  }
}
