package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.plan.ObjectsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import dev.stowage.testing.CompiledClasses;
import dev.stowage.testing.Walls;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The packages of the command line and what each of them uses. */
class WallsTest {

  private static final String ROOT = "dev/stowage/cli";

  private static final Walls WALLS =
      new Walls(Stowage.class, ROOT)
          .withPackage("text")
          .withPackage("devices")
          .withPackage("input", "text")
          .withPackage("check", "input")
          .withPackage("replay", "input")
          .withPackage("plan", "input", "text")
          .withPackage("verify", "input", "plan")
          .withPackage("picture", "input", "plan", "replay", "text")
          .withPackage("output", "input", "plan", "picture", "replay", "text")
          .withPackage("report", "check", "devices", "input", "plan", "replay", "text", "verify")
          .withPackage(
              "", "check", "devices", "input", "output", "plan", "replay", "report", "text",
              "verify")
          .withOutside(
              "java",
              "dev/stowage/core",
              "dev/stowage/cuda",
              "dev/stowage/memory/device",
              "dev/stowage/onnx",
              "dev/stowage/opencl",
              "dev/stowage/tflite",
              "me/tongfei/progressbar",
              "org/apache/commons/csv",
              "org/jspecify/annotations",
              "picocli",
              "tools/jackson/core")
          .withReserved("dev/stowage/cuda", "devices")
          .withReserved("dev/stowage/memory", "devices")
          .withReserved("dev/stowage/opencl", "devices")
          .withReserved("dev/stowage/tflite", "input")
          .withReserved("java/lang/foreign")
          .withReserved("java/net")
          .withReserved("me/tongfei/progressbar", "")
          .withReserved("org/apache/commons/csv", "input")
          .withReserved("picocli", "")
          .withClocksIn(
              ROOT + "/PlanCommand",
              ROOT + "/VerifyCommand",
              ROOT + "/plan/Interruption$Attempt",
              ROOT + "/plan/Timed",
              ROOT + "/replay/ReplayRunner")
          .withThreadsIn(ROOT + "/TerminalProgress", ROOT + "/plan/Interruption$Attempt")
          .withRequired(
              "java.base",
              "dev.stowage.core",
              "dev.stowage.cuda",
              "dev.stowage.memory",
              "dev.stowage.onnx",
              "dev.stowage.opencl",
              "dev.stowage.tflite",
              "echarts",
              "info.picocli",
              "jdk.unsupported",
              "me.tongfei.progressbar",
              "org.apache.commons.csv",
              "tools.jackson.core");

  private static final Set<String> PLANS =
      Set.of("planObjects", "planOffsets", "planTextures", "toOffsets");

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    // The module opens its root package to picocli, which sets the fields of commands.
    assertThat(WALLS.breaches())
        .containsExactly("unexpected in module-info: dev.stowage.cli to [info.picocli]");
  }

  @Test
  void everyClass_outsidePlan_asksNoStrategyToPlan() throws Exception {
    assertThat(
            CompiledClasses.in(Stowage.class, ROOT).stream()
                .filter(model -> !model.thisClass().asInternalName().startsWith(ROOT + "/plan/"))
                .flatMap(model -> planning(model).stream()))
        .isEmpty();
  }

  /** A class that plans. */
  @SuppressWarnings("unused")
  private static final class Intruder {

    static Object plan() {
      PlanProblem problem = PlanProblem.of(List.of());
      ObjectsAssignment objects = MemoryStrategy.NAIVE.planObjects(problem);
      MemoryStrategy.NAIVE.planTextures(List.of());
      return List.of(objects.toOffsets(problem), MemoryStrategy.NAIVE.planOffsets(problem));
    }
  }

  @Test
  void planning_classThatPlans_hasEveryCall() throws Exception {
    String file = "WallsTest$Intruder.class";
    try (InputStream in = WallsTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      ClassModel intruder = ClassFile.of().parse(in.readAllBytes());
      String strategy = "WallsTest$Intruder -> dev/stowage/core/plan/strategy/MemoryStrategy.";
      assertThat(planning(intruder))
          .containsExactlyInAnyOrder(
              ROOT + "/" + strategy + "planObjects",
              ROOT + "/" + strategy + "planOffsets",
              ROOT + "/" + strategy + "planTextures",
              ROOT + "/WallsTest$Intruder -> dev/stowage/core/plan/ObjectsAssignment.toOffsets");
    }
  }

  /** {@return the calls of a class that ask a strategy to plan} */
  private static List<String> planning(ClassModel model) {
    List<String> found = new ArrayList<>();
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry member
          && member.owner().asInternalName().startsWith("dev/stowage/core/plan/")
          && PLANS.contains(member.name().stringValue())) {
        found.add(
            "%s -> %s.%s"
                .formatted(
                    model.thisClass().asInternalName(),
                    member.owner().asInternalName(),
                    member.name().stringValue()));
      }
    }
    return found;
  }
}
