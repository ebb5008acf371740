package dev.stowage.core;

import static dev.stowage.testing.CompiledClasses.callsInDefaultLocale;
import static dev.stowage.testing.CompiledClasses.mutableStatics;
import static dev.stowage.testing.CompiledClasses.references;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.plan.strategy.MemoryStrategy;
import dev.stowage.testing.CompiledClasses;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What core may know of, read from its compiled classes. */
class WallsTest {

  private static final Set<String> EXPORTED_BY_JAVA_BASE = exportedByJavaBase();

  /** Threads, time of their own and processes. */
  private static final Pattern NO_PLANNERS_BUSINESS =
      Pattern.compile(
          "java/util/concurrent/(?!CancellationException$).*|java/lang/(Thread|InheritableThread|ScopedValue|Process|Runtime$).*");

  /** Starts the threads of a search, and reads the interrupt status of its caller. */
  private static final Set<String> MAY_USE_THREADS =
      Set.of(
          "dev/stowage/core/plan/search/offsets/SearchWorkers",
          "dev/stowage/core/plan/search/SearchLimit");

  private static final String PLAN = "dev/stowage/core/plan";

  /** The packages of the planner, the lowest first; each one knows only those before it. */
  private static final List<String> PLAN_LAYERS =
      Stream.of(
              "/base",
              "",
              "/time",
              "/conflict",
              "/spi",
              "/check",
              "/fit",
              "/greedy",
              "/search/offsets",
              "/search/objects",
              "/search",
              "/strategy",
              "/bounds")
          .map(PLAN::concat)
          .toList();

  private static Set<String> exportedByJavaBase() {
    Set<String> packages = new TreeSet<>();
    for (ModuleDescriptor.Exports exports : Object.class.getModule().getDescriptor().exports()) {
      if (!exports.isQualified()) {
        packages.add(exports.source().replace('.', '/'));
      }
    }
    return packages;
  }

  @Test
  void core_everyClass_knowsOnlyTheJdkAndItself() throws Exception {
    List<ClassModel> classes = CompiledClasses.in(MemoryStrategy.class, "dev/stowage/core");
    assertThat(classes).hasSizeGreaterThan(30);
    assertThat(classes.stream().flatMap(model -> foreignToCore(model).stream())).isEmpty();
  }

  @Test
  void plan_everyClassButTwo_hasNoInputOutputNoThreadsAndNoState() throws Exception {
    List<ClassModel> classes = CompiledClasses.in(MemoryStrategy.class, "dev/stowage/core/plan");
    assertThat(classes).hasSizeGreaterThan(30);
    assertThat(
            classes.stream()
                .filter(model -> !MAY_USE_THREADS.contains(model.thisClass().asInternalName()))
                .flatMap(model -> foreignToPlan(model).stream()))
        .isEmpty();
    assertThat(classes.stream().flatMap(model -> mutableStatics(model).stream())).isEmpty();
  }

  @Test
  void plan_everyPackage_knowsOnlyTheLayersBelowIt() throws Exception {
    List<String> breaches = new ArrayList<>();
    Set<String> packages = new TreeSet<>();
    for (ClassModel model : CompiledClasses.in(MemoryStrategy.class, PLAN)) {
      String own = folder(model.thisClass().asInternalName());
      packages.add(own);
      breaches.addAll(
          references(
              model,
              name ->
                  !folder(name).startsWith(PLAN)
                      || PLAN_LAYERS.indexOf(folder(name)) <= PLAN_LAYERS.indexOf(own)));
    }
    assertThat(breaches).isEmpty();
    assertThat(packages).containsExactlyInAnyOrderElementsOf(PLAN_LAYERS);
  }

  /** Planners and the checker that judges them share the problem and nothing else. */
  @Test
  void check_everyClass_knowsOnlyProblemsAndArithmetic() throws Exception {
    List<ClassModel> classes = CompiledClasses.in(MemoryStrategy.class, PLAN + "/check");
    assertThat(classes).hasSizeGreaterThan(5);
    assertThat(
            classes.stream()
                .flatMap(model ->
                    references(
                        model,
                        name ->
                            !folder(name).startsWith(PLAN)
                                || Set.of(PLAN, PLAN + "/base", PLAN + "/check")
                                    .contains(folder(name)))
                        .stream()))
        .isEmpty();
  }

  @Test
  void bfc_everyClass_hasNoInputOutput() throws Exception {
    List<ClassModel> classes = CompiledClasses.in(MemoryStrategy.class, "dev/stowage/core/bfc");
    assertThat(classes).hasSizeGreaterThan(8);
    assertThat(
            classes.stream()
                .flatMap(model ->
                    references(
                        model,
                        name -> !isInputOutput(name) && !isIn(name, "dev/stowage/core/trace"))
                        .stream()))
        .isEmpty();
  }

  @Test
  void core_everyClass_formatsInNoDefaultLocale() throws Exception {
    List<ClassModel> classes = CompiledClasses.in(MemoryStrategy.class, "dev/stowage/core");
    assertThat(classes).hasSizeGreaterThan(100);
    assertThat(classes.stream().flatMap(model -> callsInDefaultLocale(model).stream())).isEmpty();
  }

  @Test
  void moduleDescriptor_requires_onlyTheJdkAtRunTime() throws Exception {
    try (InputStream in =
        Files.newInputStream(
            CompiledClasses.folder(MemoryStrategy.class).resolve("module-info.class"))) {
      ModuleDescriptor descriptor = ModuleDescriptor.read(in);
      assertThat(
              descriptor.requires().stream()
                  .filter(r -> !r.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
                  .map(ModuleDescriptor.Requires::name))
          .containsExactlyInAnyOrder("java.base", "jdk.jfr");
      assertThat(descriptor.requires().stream().map(ModuleDescriptor.Requires::name))
          .containsExactlyInAnyOrder("java.base", "jdk.jfr", "org.jspecify");
    }
  }

  /** Breaks every rule there is. */
  @SuppressWarnings({"unused", "NonFinalStaticField"})
  private static final class Intruder {

    private static long calls;

    static java.lang.foreign.@org.jspecify.annotations.Nullable Arena arena;

    static Object connect() throws IOException {
      calls++;
      Thread.onSpinWait();
      java.util.concurrent.ForkJoinPool.commonPool().close();
      return Test.class.getName() + MalformedFileException.class + Path.of("");
    }
  }

  @Test
  void rules_classThatBreaksThem_nameEveryBreach() throws Exception {
    String file = "WallsTest$Intruder.class";
    try (InputStream in = WallsTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      ClassModel intruder = ClassFile.of().parse(in.readAllBytes());
      String name = "dev/stowage/core/WallsTest$Intruder";
      assertThat(foreignToCore(intruder))
          .containsExactly(
              name + " -> java/lang/foreign/Arena", name + " -> org/junit/jupiter/api/Test");
      assertThat(foreignToPlan(intruder))
          .contains(
              name + " -> java/io/IOException",
              name + " -> java/lang/Thread",
              name + " -> java/nio/file/Path",
              name + " -> java/util/concurrent/ForkJoinPool");
      assertThat(mutableStatics(intruder))
          .containsExactlyInAnyOrder(name + ".calls", name + ".arena");
    }
  }

  private static List<String> foreignToCore(ClassModel model) {
    return references(
        model,
        name -> {
          String folder = folder(name);
          return isIn(name, "dev/stowage/core")
              || folder.equals("org/jspecify/annotations")
              || folder.equals("jdk/jfr")
              || (folder.startsWith("java/")
                  && !isIn(name, "java/lang/foreign")
                  && EXPORTED_BY_JAVA_BASE.contains(folder));
        });
  }

  private static List<String> foreignToPlan(ClassModel model) {
    return references(
        model,
        name ->
            !NO_PLANNERS_BUSINESS.matcher(name).matches()
                && !isInputOutput(name)
                && !isIn(name, "jdk")
                && (!isIn(name, "dev/stowage")
                    || folder(name).equals("dev/stowage/core")
                    || isIn(name, "dev/stowage/core/plan")));
  }

  private static boolean isInputOutput(String name) {
    return (isIn(name, "java/io") && !name.equals("java/io/Serializable"))
        || isIn(name, "java/nio")
        || isIn(name, "java/net");
  }

  private static boolean isIn(String name, String folder) {
    return name.startsWith(folder + "/");
  }

  private static String folder(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('/')));
  }
}
