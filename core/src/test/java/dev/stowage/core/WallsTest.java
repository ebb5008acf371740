package dev.stowage.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.plan.strategy.MemoryStrategy;
import dev.stowage.testing.CompiledClasses;
import dev.stowage.testing.Walls;
import java.lang.classfile.ClassModel;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The packages of core, the packages that each of them uses, and the exported ones. */
class WallsTest {

  private static final String PLAN = "dev/stowage/core/plan";

  private static final Walls WALLS =
      withLayersOfThePlanner(new Walls(MemoryStrategy.class, "dev/stowage/core"))
          .withPackage("")
          .withPackage("padding")
          .withPackage("bfc", "", "padding")
          .withPackage("slab", "bfc", "padding")
          .withPackage("budget", "", "plan/shapes")
          .withPackage("trace/pytorch", "")
          .withPackage("replay", "bfc", "trace/pytorch")
          .withPackage("trace", "", "bfc", "replay", "trace/pytorch")
          .withPackage("tune", "bfc", "plan", "replay", "trace", "trace/pytorch")
          .withPackage("management", "bfc", "trace")
          .withPackage("trace/explain", "bfc", "replay", "trace", "trace/pytorch")
          .withOutside("java", "javax/management", "jdk/jfr", "org/jspecify/annotations")
          .withReserved("java/lang/foreign")
          .withReserved("jdk/jfr", "bfc", "trace")
          .withReserved("java/lang/management", "management")
          .withReserved("javax/management", "management")
          .withReserved("java/nio", "management", "trace", "trace/pytorch")
          .withReserved("java/net")
          .withClocksIn(
              "dev/stowage/core/bfc/Waiters$Waiter",
              "dev/stowage/core/trace/TraceRecorder",
              "dev/stowage/core/plan/banks/BankedSearch",
              "dev/stowage/core/plan/bounds/ConflictFinder",
              "dev/stowage/core/plan/search/ObjectsSearch",
              "dev/stowage/core/plan/search/OffsetsSearch",
              "dev/stowage/core/plan/search/OrderSearch",
              "dev/stowage/core/plan/shapes/search/LayoutSearch")
          .withThreadsIn("dev/stowage/core/plan/search/offsets/SearchWorkers")
          .withRequired("java.base", "jdk.jfr")
          .withExported(
              "dev.stowage.core",
              "dev.stowage.core.bfc",
              "dev.stowage.core.budget",
              "dev.stowage.core.management",
              "dev.stowage.core.plan",
              "dev.stowage.core.plan.banks",
              "dev.stowage.core.plan.bounds",
              "dev.stowage.core.plan.check",
              "dev.stowage.core.plan.incremental",
              "dev.stowage.core.plan.search",
              "dev.stowage.core.plan.shapes",
              "dev.stowage.core.plan.shapes.search",
              "dev.stowage.core.plan.spi",
              "dev.stowage.core.plan.strategy",
              "dev.stowage.core.replay",
              "dev.stowage.core.slab to [dev.stowage.memory]",
              "dev.stowage.core.trace",
              "dev.stowage.core.trace.explain",
              "dev.stowage.core.trace.pytorch",
              "dev.stowage.core.tune");

  /** Adds the packages of the planner, each of which uses only packages above it. */
  private static Walls withLayersOfThePlanner(Walls walls) {
    return walls
        .withPackage("plan/base")
        .withPackage("plan", "", "plan/base")
        .withPackage("plan/time", "plan", "plan/base")
        .withPackage("plan/conflict", "plan", "plan/base", "plan/time")
        .withPackage("plan/spi", "plan", "plan/conflict", "plan/time")
        .withPackage("plan/check", "plan", "plan/base")
        .withPackage("plan/fit", "plan", "plan/base", "plan/time")
        .withPackage(
            "plan/greedy",
            "plan",
            "plan/base",
            "plan/conflict",
            "plan/fit",
            "plan/spi",
            "plan/time")
        .withPackage("plan/incremental", "plan", "plan/base")
        .withPackage("plan/search/offsets", "plan", "plan/base", "plan/fit", "plan/time")
        .withPackage("plan/search/objects", "plan", "plan/base", "plan/time")
        .withPackage("plan/search/orders", "plan/incremental")
        .withPackage(
            "plan/search",
            "plan",
            "plan/base",
            "plan/check",
            "plan/conflict",
            "plan/fit",
            "plan/greedy",
            "plan/incremental",
            "plan/search/objects",
            "plan/search/offsets",
            "plan/search/orders",
            "plan/spi",
            "plan/time")
        .withPackage("plan/strategy", "plan", "plan/greedy", "plan/search", "plan/spi")
        .withPackage("plan/shapes", "", "plan", "plan/base")
        .withPackage(
            "plan/shapes/search", "plan", "plan/base", "plan/search", "plan/shapes", "plan/time")
        .withPackage(
            "plan/bounds",
            "plan",
            "plan/base",
            "plan/conflict",
            "plan/search",
            "plan/spi",
            "plan/strategy",
            "plan/time")
        .withPackage(
            "plan/banks",
            "plan",
            "plan/base",
            "plan/check",
            "plan/fit",
            "plan/search",
            "plan/time");
  }

  @Test
  void walls_ofThisModule_areKept() throws Exception {
    assertThat(WALLS.breaches()).isEmpty();
  }

  /** Threads, processes and files. */
  private static final Pattern FORBIDDEN_TO_PLANNERS =
      Pattern.compile(
          "java/util/concurrent/(?!CancellationException$).*"
              + "|java/lang/(Thread|InheritableThread|ScopedValue|Process|Runtime$).*"
              + "|java/io/(?!Serializable$).*");

  /** The classes that start the threads of a search, or read the interrupt status of its thread. */
  private static final Set<String> USERS_OF_THREADS =
      Set.of(PLAN + "/search/offsets/SearchWorkers", PLAN + "/search/SearchLimit");

  @Test
  void plan_allClassesExceptTwo_useNoThreadsAndNoFiles() throws Exception {
    List<ClassModel> classes = CompiledClasses.in(MemoryStrategy.class, PLAN);
    assertThat(
            classes.stream()
                .filter(model -> !USERS_OF_THREADS.contains(model.thisClass().asInternalName()))
                .flatMap(model ->
                    CompiledClasses.references(
                        model, name -> !FORBIDDEN_TO_PLANNERS.matcher(name).matches())
                        .stream()))
        .isEmpty();
    assertThat(
            classes.stream()
                .map(model -> model.thisClass().asInternalName())
                .filter(USERS_OF_THREADS::contains))
        .hasSameSizeAs(USERS_OF_THREADS);
  }
}
