package dev.stowage.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.plan.MemoryStrategy;
import java.io.IOException;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What core may know of, read from its compiled classes. */
class WallsTest {

  /*
   * A class file names other classes in two ways: by an entry of its own in the constant pool, and
   * within descriptors and signatures, which are text. Both are looked at.
   */
  private static final Pattern IN_DESCRIPTOR = Pattern.compile("L((?:[a-z]\\w*/)+[\\w$]+)[;<]");

  private static final Set<String> EXPORTED_BY_JAVA_BASE = exportedByJavaBase();

  /** Threads, time of their own and processes. */
  private static final Pattern NO_PLANNERS_BUSINESS =
      Pattern.compile(
          "java/util/concurrent/.*|java/lang/(Thread|InheritableThread|ScopedValue|Process|Runtime$).*");

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
    List<ClassModel> classes = classes("dev/stowage/core");
    assertThat(classes).hasSizeGreaterThan(30);
    assertThat(classes.stream().flatMap(model -> foreignToCore(model).stream())).isEmpty();
  }

  @Test
  void plan_everyClassButTheSearchsWorkers_hasNoInputOutputNoThreadsAndNoState() throws Exception {
    List<ClassModel> classes = classes("dev/stowage/core/plan");
    assertThat(classes).hasSizeGreaterThan(30);
    assertThat(
            classes.stream()
                .filter(model -> !model.thisClass().asInternalName().endsWith("/SearchWorkers"))
                .flatMap(model -> foreignToPlan(model).stream()))
        .isEmpty();
    assertThat(classes.stream().flatMap(model -> mutableStatics(model).stream())).isEmpty();
  }

  @Test
  void bfc_everyClass_hasNoInputOutput() throws Exception {
    List<ClassModel> classes = classes("dev/stowage/core/bfc");
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
  void moduleDescriptor_requires_onlyTheJdkAtRunTime() throws Exception {
    try (InputStream in = Files.newInputStream(compiled().resolve("module-info.class"))) {
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
      return Test.class.getName() + MalformedInputException.class + Path.of("x");
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

  private static String folder(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('/')));
  }

  private static Path compiled() throws URISyntaxException {
    return Path.of(
        MemoryStrategy.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static List<ClassModel> classes(String folder) throws Exception {
    List<Path> files;
    try (Stream<Path> tree = Files.walk(compiled().resolve(folder))) {
      files = tree.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
    List<ClassModel> models = new ArrayList<>();
    for (Path file : files) {
      models.add(ClassFile.of().parse(file));
    }
    return models;
  }
}
