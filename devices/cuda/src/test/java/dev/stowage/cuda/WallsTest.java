package dev.stowage.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Walls;
import org.junit.jupiter.api.Test;

/** The walls of this module. */
class WallsTest {

  private static final Walls WALLS =
      new Walls(CudaDevice.class, "dev/stowage/cuda")
          .withPackage("")
          .withOutside("java", "dev/stowage/memory/device", "org/jspecify/annotations")
          .withRequired("java.base", "dev.stowage.memory")
          .withExported("dev.stowage.cuda");

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    assertThat(WALLS.breaches()).isEmpty();
  }
}
