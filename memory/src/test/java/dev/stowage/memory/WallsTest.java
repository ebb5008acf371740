package dev.stowage.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.memory.device.HostMemory;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.AccessFlag;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the packages of memory may know of each other, read from its compiled classes. */
class WallsTest {

  private static final String ROOT = "dev/stowage/memory";

  /** The packages, and which others each of them uses. */
  private static final Map<String, Set<String>> USES =
      Map.of(
          "device", Set.of(),
          "pool", Set.of("device"),
          "synced", Set.of("device", "pool"),
          "tensor", Set.of("device", "pool", "synced"));

  /*
   * A class file names other classes in two ways: by an entry of its own in the constant pool, and
   * within descriptors and signatures, which are text. Both are looked at.
   */
  private static final Pattern IN_DESCRIPTOR = Pattern.compile("L((?:[a-z]\\w*/)+[\\w$]+)[;<]");

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
  void moduleDescriptor_requires_onlyCoreAndTheJdkAtRunTime() throws Exception {
    try (InputStream in = Files.newInputStream(compiled().resolve("module-info.class"))) {
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
      return List.of(pool, Test.class, dev.stowage.core.plan.MemoryStrategy.class);
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

  private static List<String> mutableStatics(ClassModel model) {
    List<String> found = new ArrayList<>();
    for (FieldModel field : model.fields()) {
      if (field.flags().has(AccessFlag.STATIC) && !field.flags().has(AccessFlag.FINAL)) {
        found.add(model.thisClass().asInternalName() + "." + field.fieldName().stringValue());
      }
    }
    return found;
  }

  private interface Rule {
    boolean allows(String internalName);
  }

  /** {@return the classes named by a class that a rule does not allow, in order} */
  private static List<String> references(ClassModel model, Rule rule) {
    Set<String> names = new TreeSet<>();
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof ClassEntry named && !named.asInternalName().startsWith("[")) {
        names.add(named.asInternalName());
      } else if (entry instanceof Utf8Entry text) {
        Matcher matcher = IN_DESCRIPTOR.matcher(text.stringValue());
        while (matcher.find()) {
          names.add(matcher.group(1));
        }
      }
    }
    return names.stream()
        .filter(name -> !rule.allows(name))
        .map(name -> model.thisClass().asInternalName() + " -> " + name)
        .toList();
  }

  private static boolean isIn(String name, String folder) {
    return name.startsWith(folder + "/");
  }

  /** {@return {@code pool} of a class of that package} */
  private static String packageOf(String name) {
    String folder = name.substring(0, Math.max(0, name.lastIndexOf('/')));
    return isIn(folder, ROOT) ? folder.substring(ROOT.length() + 1) : "";
  }

  private static Path compiled() throws URISyntaxException {
    return Path.of(HostMemory.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static List<ClassModel> classes() throws Exception {
    List<Path> files;
    try (Stream<Path> tree = Files.walk(compiled().resolve(ROOT))) {
      files = tree.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
    List<ClassModel> models = new ArrayList<>();
    for (Path file : files) {
      models.add(ClassFile.of().parse(file));
    }
    assertThat(models).hasSizeGreaterThan(15);
    return models;
  }
}
