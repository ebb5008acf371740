package dev.stowage.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.fleet.item.WorkItem;
import dev.stowage.testing.Walls;
import org.junit.jupiter.api.Test;

/** The walls of this module. */
class WallsTest {

  private static final Walls WALLS =
      new Walls(WorkItem.class, "dev/stowage/fleet")
          .withoutDescriptor()
          .withPackage("")
          .withPackage("flink")
          .withPackage("item")
          .withPackage("result")
          .withPackage("worker", "item", "result")
          .withOutside("java", "org/jspecify/annotations", "org/apache/flink", "tools/jackson/core")
          .withReserved("org/apache/flink", "flink");

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    assertThat(WALLS.breaches()).isEmpty();
  }
}
