package dev.stowage.house;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassModel;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleDescriptor.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules for the compiled classes of one module, in one list.
 *
 * <p>No class may have a mutable static field or format in the default locale. Only named classes
 * may read a clock or start threads. The other rules are given by the {@code with} methods. Names
 * of classes and folders are internal names, such as {@code java/util/List}. A package is named by
 * its folder below the root package, and the root package by the empty string.
 */
final class Walls {

  private final Path classes;
  private final String root;
  private final Map<String, Set<String>> usesByPackage = new HashMap<>();
  private final Map<String, Set<String>> packagesByFolder = new HashMap<>();
  private List<String> outsideFolders = List.of();
  private List<String> requiredModules = List.of();
  private List<String> exportedPackages = List.of();
  private List<String> openPackages = List.of();
  private Set<String> clockClasses = Set.of();
  private Set<String> threadClasses = Set.of();
  private boolean hasDescriptor = true;

  /**
   * Creates the walls of a module without packages.
   *
   * @param classes the folder of its compiled classes
   * @param root the root package, such as {@code dev/stowage/memory}
   */
  Walls(Path classes, String root) {
    this.classes = classes;
    this.root = root;
  }

  /**
   * Adds a package and the other packages of the module that it may use.
   *
   * @return these walls
   */
  Walls withPackage(String name, String... uses) {
    usesByPackage.put(name, Set.of(uses));
    return this;
  }

  /**
   * Sets the folders outside the root package, with the folders below them, whose classes the
   * module may name.
   *
   * @return these walls
   */
  Walls withOutside(String... folders) {
    outsideFolders = List.of(folders);
    return this;
  }

  /**
   * Reserves a folder, with the folders below it, for some packages.
   *
   * @return these walls
   */
  Walls withReserved(String folder, String... packages) {
    packagesByFolder.put(folder, Set.of(packages));
    return this;
  }

  /**
   * Sets the modules that this one requires at run time.
   *
   * @return these walls
   */
  Walls withRequired(String... modules) {
    requiredModules = List.of(modules);
    return this;
  }

  /**
   * Sets the packages that the module exports to all modules.
   *
   * @return these walls
   */
  Walls withExported(String... packages) {
    exportedPackages = List.of(packages);
    return this;
  }

  /**
   * Sets the packages that the module opens, such as "p to [m]".
   *
   * @return these walls
   */
  Walls withOpened(String... packages) {
    openPackages = List.of(packages);
    return this;
  }

  /**
   * Sets the classes that may read a clock.
   *
   * @return these walls
   */
  Walls withClocksIn(String... classes) {
    clockClasses = Set.of(classes);
    return this;
  }

  /**
   * Sets the classes that may start threads.
   *
   * @return these walls
   */
  Walls withThreadsIn(String... classes) {
    threadClasses = Set.of(classes);
    return this;
  }

  /**
   * Declares that the module has no descriptor and runs on the class path.
   *
   * @return these walls
   */
  Walls withoutDescriptor() {
    hasDescriptor = false;
    return this;
  }

  /** {@return true if the module has a descriptor} */
  boolean hasDescriptor() {
    return hasDescriptor;
  }

  /** {@return the modules that this one requires at run time} */
  List<String> requiredModules() {
    return requiredModules;
  }

  /** {@return a line for each breach of a rule, and for each rule that the module does not need} */
  List<String> breaches() throws IOException {
    List<ClassModel> models = CompiledClasses.in(classes, root);
    List<String> breaches = new ArrayList<>();
    models.forEach(model -> breaches.addAll(breaches(model)));
    breaches.addAll(
        difference("packages", usesByPackage.keySet(), models.stream().map(this::packageOf)));
    breaches.addAll(
        difference(
            "classes that read clocks", clockClasses, users(models, CompiledClasses::clockCalls)));
    breaches.addAll(
        difference(
            "classes that start threads",
            threadClasses,
            users(models, CompiledClasses::threadCalls)));
    breaches.addAll(descriptorBreaches());
    return breaches;
  }

  /** {@return the breaches of one class, which may be of another module} */
  List<String> breaches(ClassModel model) {
    String user = packageOf(model);
    List<String> breaches = new ArrayList<>(CompiledClasses.mutableStatics(model));
    breaches.addAll(CompiledClasses.callsInDefaultLocale(model));
    breaches.addAll(CompiledClasses.references(model, name -> isAllowed(user, name)));
    if (!clockClasses.contains(model.thisClass().asInternalName())) {
      breaches.addAll(CompiledClasses.clockCalls(model));
    }
    if (!threadClasses.contains(model.thisClass().asInternalName())) {
      breaches.addAll(CompiledClasses.threadCalls(model));
    }
    return breaches;
  }

  private boolean isAllowed(String user, String name) {
    if (isIn(name, root)) {
      String used = packageOf(name);
      return user.equals(used) || usesByPackage.getOrDefault(user, Set.of()).contains(used);
    }
    return outsideFolders.stream().anyMatch(folder -> isIn(name, folder))
        && packagesByFolder.entrySet().stream()
            .allMatch(each -> !isIn(name, each.getKey()) || each.getValue().contains(user));
  }

  private static Stream<String> users(
      List<ClassModel> classes, Function<ClassModel, List<String>> calls) {
    return classes.stream()
        .filter(model -> !calls.apply(model).isEmpty())
        .map(model -> model.thisClass().asInternalName());
  }

  private List<String> descriptorBreaches() throws IOException {
    Path file = classes.resolve("module-info.class");
    if (!hasDescriptor) {
      return Files.exists(file) ? List.of("unexpected module-info") : List.of();
    }
    ModuleDescriptor descriptor;
    try (InputStream in = Files.newInputStream(file)) {
      descriptor = ModuleDescriptor.read(in);
    }
    Stream<String> required =
        descriptor.requires().stream()
            .filter(each -> !each.modifiers().contains(Requires.Modifier.STATIC))
            .map(Requires::name);
    Stream<String> exported = descriptor.exports().stream().map(Walls::described);
    List<String> breaches = new ArrayList<>();
    breaches.addAll(difference("required modules", requiredModules, required));
    breaches.addAll(difference("exported packages", exportedPackages, exported));
    Stream<String> open = descriptor.opens().stream().map(Object::toString);
    breaches.addAll(difference("open packages", openPackages, open));
    Stream<?> others = Stream.of(descriptor.uses(), descriptor.provides()).flatMap(Set::stream);
    others.forEach(other -> breaches.add("unexpected in module-info: " + other));
    return breaches;
  }

  /** {@return "p" or "p to [m, n]"} */
  private static String described(Exports exports) {
    return exports.isQualified()
        ? exports.source() + " to " + new TreeSet<>(exports.targets())
        : exports.source();
  }

  /** {@return a line if two sets differ, which contains both} */
  private static List<String> difference(
      String what, Collection<String> expected, Stream<String> actual) {
    Set<String> found = actual.collect(Collectors.toCollection(TreeSet::new));
    Set<String> known = new TreeSet<>(expected);
    return found.equals(known)
        ? List.of()
        : List.of(String.format(Locale.ROOT, "%s: expected %s, found %s", what, known, found));
  }

  private String packageOf(ClassModel model) {
    return packageOf(model.thisClass().asInternalName());
  }

  private String packageOf(String name) {
    String folder = name.substring(0, Math.max(0, name.lastIndexOf('/')));
    return isIn(folder, root) ? folder.substring(root.length() + 1) : "";
  }

  private static boolean isIn(String name, String folder) {
    return name.startsWith(folder + "/");
  }
}
