package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.CompiledClasses;
import dev.stowage.testing.Walls;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The packages of the command line and what each of them uses. */
class WallsTest {

  private static final String ROOT = "dev/stowage/cli";

  private static final Walls WALLS =
      new Walls(Stowage.class, ROOT)
          .withPackage("text")
          .withPackage("devices")
          .withPackage("input", "text")
          .withPackage("trace", "input")
          .withPackage("check", "input")
          .withPackage("replay", "input")
          .withPackage("gate", "input", "text")
          .withPackage("plan", "gate", "input", "text")
          .withPackage("tune", "input", "plan")
          .withPackage("verify", "input", "plan")
          .withPackage("budget", "gate", "input", "plan", "text")
          .withPackage("banks", "gate", "input", "output", "picture", "plan", "report", "text")
          .withPackage("rewrite", "input", "output", "plan", "text")
          .withPackage("picture", "budget", "input", "plan", "replay", "text", "tune")
          .withPackage("output", "budget", "input", "plan", "picture", "replay", "text", "tune")
          .withPackage(
              "report", "budget", "check", "devices", "input", "plan", "replay", "rewrite", "text",
              "tune", "verify")
          .withPackage(
              "", "banks", "budget", "check", "devices", "gate", "input", "output", "plan",
              "replay", "report", "rewrite", "text", "trace", "tune", "verify")
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
          .withReserved("dev/stowage/tflite", "", "budget", "input", "rewrite")
          .withReserved("java/lang/foreign")
          .withReserved("java/net")
          .withReserved("me/tongfei/progressbar", "")
          .withReserved("org/apache/commons/csv", "input")
          .withReserved("picocli", "")
          .withClocksIn(
              ROOT + "/JunitRun",
              ROOT + "/PlanCommand",
              ROOT + "/TuneCommand",
              ROOT + "/VerifyCommand",
              ROOT + "/plan/ExplanationRun",
              ROOT + "/plan/Interruption$Attempt",
              ROOT + "/plan/Timed",
              ROOT + "/replay/ReplayRunner",
              ROOT + "/tune/TuningRunner$Run")
          .withThreadsIn(
              ROOT + "/TerminalProgress",
              ROOT + "/budget/ServiceProcess",
              ROOT + "/Worker",
              ROOT + "/plan/Interruption$Attempt",
              ROOT + "/tune/TuningRunner$Run")
          .withOpened("dev.stowage.cli to [info.picocli]")
          .withRequired(
              "java.base",
              "d3.array",
              "dev.stowage.core",
              "dev.stowage.cuda",
              "dev.stowage.memory",
              "dev.stowage.onnx",
              "dev.stowage.opencl",
              "dev.stowage.tflite",
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

  /** Java reports reflection that sets final fields from version 26 on, and will reject it. */
  @Test
  void everyFieldThatPicocliSets_isNotFinal() throws Exception {
    List<String> fields = new ArrayList<>();
    for (ClassModel model : CompiledClasses.in(Stowage.class, ROOT)) {
      for (FieldModel field : model.fields()) {
        if (field.flags().has(AccessFlag.FINAL) && hasAnnotationOfPicocli(field)) {
          fields.add(model.thisClass().asInternalName() + "." + field.fieldName().stringValue());
        }
      }
    }
    assertThat(fields).isEmpty();
  }

  private static boolean hasAnnotationOfPicocli(FieldModel field) {
    return field.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
        .flatMap(attribute -> attribute.annotations().stream())
        .anyMatch(annotation -> annotation.className().stringValue().startsWith("Lpicocli/"));
  }
}
