package dev.stowage.cli;

import static dev.stowage.testing.CompiledClasses.callsInDefaultLocale;
import static dev.stowage.testing.CompiledClasses.mutableStatics;
import static dev.stowage.testing.CompiledClasses.references;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.plan.Plan;
import dev.stowage.core.plan.ObjectsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import dev.stowage.testing.CompiledClasses;
import dev.stowage.tflite.TfliteReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.module.ModuleDescriptor;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The dependencies of the packages of the command line, read from its compiled classes. */
class WallsTest {

  private static final String ROOT = "dev/stowage/cli";

  /** The packages and the packages that they use. The root package is not listed and uses all. */
  private static final Map<String, Set<String>> USES =
      Map.of(
          "text", Set.of(),
          "input", Set.of("text"),
          "plan", Set.of("input", "text"),
          "check", Set.of("input"),
          "replay", Set.of("input"),
          "verify", Set.of("input", "plan"),
          "devices", Set.of(),
          "report", Set.of("check", "devices", "input", "plan", "replay", "text", "verify"),
          "picture", Set.of("input", "plan", "replay", "text"),
          "output", Set.of("input", "plan", "picture", "replay", "text"));

  private static final Set<String> PLANS =
      Set.of("planObjects", "planOffsets", "planTextures", "toOffsets");

  @Test
  void packages_ofTheCommandLine_areTheKnownOnes() throws Exception {
    Set<String> packages = new TreeSet<>();
    for (ClassModel model : classes()) {
      packages.add(packageOf(model.thisClass().asInternalName()));
    }
    Set<String> known = new TreeSet<>(USES.keySet());
    known.add("");
    assertThat(packages).isEqualTo(known);
  }

  @Test
  void everyClass_usesOnlyThePackagesBelowIt() throws Exception {
    assertThat(classes().stream().flatMap(model -> throughWalls(model).stream())).isEmpty();
  }

  @Test
  void everyClass_outsideTheRoot_knowsNoTerminal() throws Exception {
    assertThat(classes().stream().flatMap(model -> terminals(model).stream())).isEmpty();
  }

  @Test
  void everyClass_outsideTheReaders_knowsNoFormatsLibraries() throws Exception {
    assertThat(classes().stream().flatMap(model -> libraries(model).stream())).isEmpty();
  }

  @Test
  void everyClass_usesNoForeignMemoryAndNoInternals() throws Exception {
    assertThat(classes().stream().flatMap(model -> internals(model).stream())).isEmpty();
  }

  @Test
  void everyClass_outsidePlan_asksNoStrategyToPlan() throws Exception {
    assertThat(classes().stream().flatMap(model -> planning(model).stream())).isEmpty();
  }

  @Test
  void everyClass_formatsInNoDefaultLocale() throws Exception {
    assertThat(classes().stream().flatMap(model -> callsInDefaultLocale(model).stream())).isEmpty();
  }

  @Test
  void everyClass_hasNoMutableStatics() throws Exception {
    assertThat(classes().stream().flatMap(model -> mutableStatics(model).stream())).isEmpty();
  }

  @Test
  void moduleDescriptors_require_whatTheyNeedAtRunTime() throws Exception {
    assertThat(requiredAtRunTime(Stowage.class))
        .containsExactlyInAnyOrder(
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
    assertThat(requiredAtRunTime(TfliteReader.class))
        .containsExactlyInAnyOrder(
            "java.base", "dev.stowage.core", "flatbuffers.java", "tensorflow.lite.metadata");
  }

  /** A class of the command line that breaks every rule. */
  @SuppressWarnings({"unused", "NonFinalStaticField"})
  private static final class Intruder {

    private static long calls;

    static java.lang.foreign.@org.jspecify.annotations.Nullable Arena arena;

    static Object connect(Plan plan) {
      calls++;
      PlanProblem problem = PlanProblem.of(List.of());
      ObjectsAssignment objects = MemoryStrategy.NAIVE.planObjects(problem);
      MemoryStrategy.NAIVE.planTextures(List.of());
      return List.of(
          objects.toOffsets(problem),
          MemoryStrategy.NAIVE.planOffsets(problem),
          picocli.CommandLine.class,
          me.tongfei.progressbar.ProgressBar.class);
    }
  }

  @Test
  void rules_classThatBreaksThem_nameEveryBreach() throws Exception {
    String file = "WallsTest$Intruder.class";
    try (InputStream in = WallsTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      ClassModel intruder = ClassFile.of().parse(in.readAllBytes());
      String name = ROOT + "/WallsTest$Intruder";
      String strategy = name + " -> dev/stowage/core/plan/MemoryStrategy.";
      assertThat(
              references(intruder, other -> !isIn(other, ROOT) || mayUse("text", packageOf(other))))
          .contains(name + " -> dev/stowage/cli/plan/Plan");
      assertThat(references(intruder, other -> !isTerminal(other)))
          .containsExactly(
              name + " -> me/tongfei/progressbar/ProgressBar", name + " -> picocli/CommandLine");
      assertThat(internals(intruder)).containsExactly(name + " -> java/lang/foreign/Arena");
      assertThat(planning(intruder))
          .containsExactlyInAnyOrder(
              strategy + "planObjects",
              strategy + "planOffsets",
              strategy + "planTextures",
              name + " -> dev/stowage/core/plan/ObjectsAssignment.toOffsets");
      assertThat(mutableStatics(intruder))
          .containsExactlyInAnyOrder(name + ".calls", name + ".arena");
    }
  }

  private static List<String> throughWalls(ClassModel model) {
    String user = packageOf(model.thisClass().asInternalName());
    return references(model, name -> !isIn(name, ROOT) || mayUse(user, packageOf(name)));
  }

  private static boolean mayUse(String user, String used) {
    return user.isEmpty() || user.equals(used) || USES.getOrDefault(user, Set.of()).contains(used);
  }

  private static List<String> terminals(ClassModel model) {
    boolean isRoot = packageOf(model.thisClass().asInternalName()).isEmpty();
    return references(model, name -> isRoot || !isTerminal(name));
  }

  private static boolean isTerminal(String name) {
    return isIn(name, "picocli") || isIn(name, "me/tongfei") || isIn(name, "org/jline");
  }

  /** Uses of the libraries of model readers, which only these readers' modules may use. */
  private static List<String> libraries(ClassModel model) {
    return references(
        model,
        name ->
            !isIn(name, "ai/onnx")
                && !isIn(name, "ai/onnxruntime")
                && !isIn(name, "com/google")
                && !isIn(name, "org/tensorflow"));
  }

  private static List<String> internals(ClassModel model) {
    return references(
        model,
        name ->
            !isIn(name, "java/lang/foreign")
                && !isIn(name, "sun/misc")
                && !isIn(name, "jdk/internal"));
  }

  private static List<String> planning(ClassModel model) {
    List<String> found = new ArrayList<>();
    if (packageOf(model.thisClass().asInternalName()).equals("plan")) {
      return found;
    }
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry member
          && isIn(member.owner().asInternalName(), "dev/stowage/core/plan")
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

  private static boolean isIn(String name, String folder) {
    return name.startsWith(folder + "/");
  }

  /** {@return the package of a class, such as {@code input}; empty for the root} */
  private static String packageOf(String name) {
    String folder = name.substring(0, Math.max(0, name.lastIndexOf('/')));
    return isIn(folder, ROOT) ? folder.substring(ROOT.length() + 1) : "";
  }

  /** {@return the modules that the module of a class requires at run time} */
  private static List<String> requiredAtRunTime(Class<?> type) throws Exception {
    Path compiled = CompiledClasses.folder(type);
    if (Files.isDirectory(compiled)) {
      return requiredAtRunTime(compiled);
    }
    try (FileSystem jar = FileSystems.newFileSystem(compiled)) {
      return requiredAtRunTime(jar.getPath("/"));
    }
  }

  private static List<String> requiredAtRunTime(Path compiled) throws IOException {
    try (InputStream in = Files.newInputStream(compiled.resolve("module-info.class"))) {
      return ModuleDescriptor.read(in).requires().stream()
          .filter(r -> !r.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
          .map(ModuleDescriptor.Requires::name)
          .toList();
    }
  }

  private static List<ClassModel> classes() throws Exception {
    List<ClassModel> classes = CompiledClasses.in(Stowage.class, ROOT);
    assertThat(classes).hasSizeGreaterThan(50);
    return classes;
  }
}
