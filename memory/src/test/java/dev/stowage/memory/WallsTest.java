package dev.stowage.memory;

import static dev.stowage.testing.CompiledClasses.callsInDefaultLocale;
import static dev.stowage.testing.CompiledClasses.mutableStatics;
import static dev.stowage.testing.CompiledClasses.references;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.memory.device.HostMemory;
import dev.stowage.testing.CompiledClasses;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the packages of memory may know of each other, read from its compiled classes. */
class WallsTest {

  private static final String ROOT = "dev/stowage/memory";

  /** The packages, and which others each of them uses. */
  private static final Map<String, Set<String>> USES =
      Map.of(
          "device", Set.of(),
          "lifetime", Set.of(),
          "pool", Set.of("device", "lifetime"),
          "synced", Set.of("device", "lifetime", "pool"),
          "tensor", Set.of("device", "lifetime", "pool", "synced"));

  @Test
  void packages_ofMemory_areTheKnownOnes() throws Exception {
    Set<String> packages = new TreeSet<>();
    for (ClassModel model : classes()) {
      packages.add(packageOf(model.thisClass().asInternalName()));
    }
    assertThat(packages).isEqualTo(new TreeSet<>(USES.keySet()));
  }

  @Test
  void everyClass_usesOnlyThePackagesBelowIt() throws Exception {
    assertThat(classes().stream().flatMap(model -> throughWalls(model).stream())).isEmpty();
  }

  @Test
  void everyClass_usesOnlyTheJdkAndTheAllocator() throws Exception {
    assertThat(classes().stream().flatMap(model -> foreign(model).stream())).isEmpty();
  }

  @Test
  void everyClass_hasNoMutableStatics() throws Exception {
    assertThat(classes().stream().flatMap(model -> mutableStatics(model).stream())).isEmpty();
  }

  @Test
  void everyClass_formatsInNoDefaultLocale() throws Exception {
    assertThat(classes().stream().flatMap(model -> callsInDefaultLocale(model).stream())).isEmpty();
  }

  @Test
  void moduleDescriptor_requires_onlyCoreAndTheJdkAtRunTime() throws Exception {
    try (InputStream in =
        Files.newInputStream(
            CompiledClasses.folder(HostMemory.class).resolve("module-info.class"))) {
      assertThat(
              ModuleDescriptor.read(in).requires().stream()
                  .filter(r -> !r.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
                  .map(ModuleDescriptor.Requires::name))
          .containsExactlyInAnyOrder("java.base", "jdk.management", "dev.stowage.core");
    }
  }

  /** Breaks every rule there is. */
  @SuppressWarnings({"unused", "NonFinalStaticField"})
  private static final class Intruder {

    private static long calls;

    static Object connect(dev.stowage.memory.pool.MemoryPool pool) {
      calls++;
      return List.of(pool, Test.class, dev.stowage.core.plan.strategy.MemoryStrategy.class);
    }
  }

  @Test
  void rules_classThatBreaksThem_nameEveryBreach() throws Exception {
    try (InputStream in = WallsTest.class.getResourceAsStream("WallsTest$Intruder.class")) {
      assertThat(in).isNotNull();
      ClassModel intruder = ClassFile.of().parse(in.readAllBytes());
      String name = ROOT + "/WallsTest$Intruder";
      assertThat(references(intruder, other -> !isIn(other, ROOT) || mayUse("device", other)))
          .contains(name + " -> dev/stowage/memory/pool/MemoryPool");
      assertThat(foreign(intruder))
          .containsExactly(
              name + " -> dev/stowage/core/plan/MemoryStrategy",
              name + " -> org/junit/jupiter/api/Test");
      assertThat(mutableStatics(intruder)).containsExactly(name + ".calls");
    }
  }

  private static List<String> throughWalls(ClassModel model) {
    String user = packageOf(model.thisClass().asInternalName());
    return references(model, name -> !isIn(name, ROOT) || mayUse(user, name));
  }

  private static boolean mayUse(String user, String used) {
    String other = packageOf(used);
    return user.equals(other) || USES.getOrDefault(user, Set.of()).contains(other);
  }

  private static List<String> foreign(ClassModel model) {
    return references(
        model,
        name ->
            isIn(name, ROOT)
                || isIn(name, "dev/stowage/core/bfc")
                || isIn(name, "java")
                || isIn(name, "com/sun/management")
                || isIn(name, "org/jspecify/annotations"));
  }

  private static boolean isIn(String name, String folder) {
    return name.startsWith(folder + "/");
  }

  /** {@return {@code pool} of a class of that package} */
  private static String packageOf(String name) {
    String folder = name.substring(0, Math.max(0, name.lastIndexOf('/')));
    return isIn(folder, ROOT) ? folder.substring(ROOT.length() + 1) : "";
  }

  private static List<ClassModel> classes() throws Exception {
    List<ClassModel> classes = CompiledClasses.in(HostMemory.class, ROOT);
    assertThat(classes).hasSizeGreaterThan(15);
    return classes;
  }
}
