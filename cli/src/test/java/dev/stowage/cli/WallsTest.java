package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.CompiledClasses;
import dev.stowage.testing.Walls;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The packages of the command line, and the packages and libraries that each of them uses. */
class WallsTest {

  private static final String ROOT = "dev/stowage/cli";

  private static final Walls WALLS =
      new Walls(Stowage.class, ROOT)
          .withPackage(
              "", "check", "devices", "input", "output", "picture", "plan", "replay", "report",
              "text", "verify")
          .withPackage("text")
          .withPackage("input", "text")
          .withPackage("plan", "input", "text")
          .withPackage("check", "input")
          .withPackage("replay", "input")
          .withPackage("verify", "input", "plan")
          .withPackage("devices")
          .withPackage("report", "check", "devices", "input", "plan", "replay", "text", "verify")
          .withPackage("picture", "input", "plan", "replay", "text")
          .withPackage("output", "input", "plan", "picture", "replay", "text")
          .withOutside(
              "java",
              "dev/stowage",
              "me/tongfei/progressbar",
              "org/apache/commons/csv",
              "org/apache/commons/io/build",
              "org/jline",
              "org/jspecify/annotations",
              "picocli",
              "tools/jackson/core")
          .withReserved("java/lang/foreign")
          .withReserved("me/tongfei/progressbar", "")
          .withReserved("org/jline", "")
          .withReserved("picocli", "")
          .withReserved("org/apache/commons/csv", "input")
          .withClocksIn(
              "dev/stowage/cli/PlanCommand",
              "dev/stowage/cli/VerifyCommand",
              "dev/stowage/cli/plan/Interruption$Attempt",
              "dev/stowage/cli/plan/Timed",
              "dev/stowage/cli/replay/ReplayRunner")
          .withThreadsIn(
              "dev/stowage/cli/TerminalProgress", "dev/stowage/cli/plan/Interruption$Attempt")
          .withOpened("dev.stowage.cli to [info.picocli]")
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

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    assertThat(WALLS.breaches()).isEmpty();
  }

  /** Methods of strategies and assignments that plan. */
  private static final Set<String> PLANNING =
      Set.of("planObjects", "planOffsets", "planTextures", "toOffsets");

  @Test
  void everyPlan_isMadeInThePackagePlan() throws Exception {
    Set<String> callers = new TreeSet<>();
    for (ClassModel model : CompiledClasses.in(Stowage.class, ROOT)) {
      for (PoolEntry entry : model.constantPool()) {
        if (entry instanceof MemberRefEntry member
            && member.owner().asInternalName().startsWith("dev/stowage/core/plan/")
            && PLANNING.contains(member.name().stringValue())) {
          callers.add(model.thisClass().asInternalName());
        }
      }
    }
    assertThat(callers).isNotEmpty().allMatch(name -> name.startsWith(ROOT + "/plan/"));
  }
}
