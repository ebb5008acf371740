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
          .withPackage("", "flink", "item", "result", "worker")
          .withPackage("flink", "item", "result", "worker")
          .withPackage("host")
          .withPackage("item")
          .withPackage("result")
          .withPackage("worker", "item", "result")
          .withOutside(
              "java",
              "me/tongfei/progressbar",
              "org/apache/avro",
              "org/apache/flink",
              "org/jspecify/annotations",
              "picocli",
              "tools/jackson/core")
          .withReserved("me/tongfei/progressbar", "")
          .withReserved("org/apache/avro", "result")
          .withReserved("org/apache/flink", "flink")
          .withReserved("picocli", "")
          .withClocksIn("dev/stowage/fleet/worker/WorkerProcess")
          .withThreadsIn("dev/stowage/fleet/worker/WorkerProcess");

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    assertThat(WALLS.breaches()).isEmpty();
  }
}
