package dev.stowage.house;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The compiled classes of a module, and the rules for them that the modules share.
 *
 * <p>A breach has the form {@code class -> used class or method}, with internal names of classes.
 */
final class CompiledClasses {

  /*
   * A class file names other classes in entries of the constant pool, and in the text of descriptors and
   * signatures. The rules check both.
   */
  private static final Pattern IN_DESCRIPTOR = Pattern.compile("L((?:[a-z]\\w*/)+[\\w$]+)[;<]");

  /** Calls that format in the default locale, whose digits can be other than ASCII. */
  private static final Pattern IN_DEFAULT_LOCALE =
      Pattern.compile(
          "java/lang/String\\.(formatted|format\\(Ljava/lang/String;|to(Low|Upp)erCase\\(\\)).*"
              + "|java/io/Print(Stream|Writer)\\.(format|printf)\\(Ljava/lang/String;.*"
              + "|java/util/Formatter\\.<init>(?!.*Locale).*");

  /** Calls whose results or duration depend on a clock. */
  private static final Pattern OF_CLOCKS =
      Pattern.compile(
          "java/lang/System\\.(nanoTime|currentTimeMillis)\\(.*"
              + "|java/lang/Thread\\.sleep\\(.*"
              + "|java/time/\\w+\\.now\\(.*"
              + "|java/time/Clock\\.(system|tick).*"
              + "|java/util/Date\\.<init>\\(\\)V");

  /** Calls that start threads, or leave work to a pool of threads. */
  private static final Pattern OF_THREADS =
      Pattern.compile(
          "java/lang/Thread\\.(<init>|start|startVirtualThread|ofPlatform|ofVirtual)\\(.*"
              + "|java/lang/ref/Cleaner\\.create\\(.*"
              + "|java/util/Timer\\.<init>.*"
              + "|java/util/concurrent/(Executors|ForkJoinPool|(ScheduledT|T)hreadPoolExecutor)\\..*"
              + "|java/util/concurrent/CompletableFuture\\.\\w+Async\\(.*"
              + "|java/util/\\w+\\.parallelStream\\(.*"
              + "|java/util/stream/\\w+\\.parallel\\(.*");

  private CompiledClasses() {}

  /**
   * {@return the classes of a module, sorted by file}
   *
   * @param classes the folder of compiled classes
   * @param folder a package with its subpackages, such as {@code dev/stowage/plan}
   */
  static List<ClassModel> in(Path classes, String folder) throws IOException {
    List<ClassModel> models = new ArrayList<>();
    try (Stream<Path> tree = Files.walk(classes.resolve(folder))) {
      for (Path file : tree.filter(f -> f.toString().endsWith(".class")).sorted().toList()) {
        models.add(ClassFile.of().parse(file));
      }
    }
    return models;
  }

  /** {@return the classes that a class names and a rule does not allow, sorted} */
  static List<String> references(ClassModel model, Predicate<String> isAllowed) {
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
        .filter(name -> !isAllowed.test(name))
        .map(name -> model.thisClass().asInternalName() + " -> " + name)
        .toList();
  }

  /** {@return the static fields of a class that are not final} */
  static List<String> mutableStatics(ClassModel model) {
    List<String> found = new ArrayList<>();
    for (FieldModel field : model.fields()) {
      if (field.flags().has(AccessFlag.STATIC) && !field.flags().has(AccessFlag.FINAL)) {
        found.add(model.thisClass().asInternalName() + "." + field.fieldName().stringValue());
      }
    }
    return found;
  }

  /** {@return the calls of a class that format in the default locale} */
  static List<String> callsInDefaultLocale(ClassModel model) {
    return calls(model, IN_DEFAULT_LOCALE);
  }

  /** {@return the calls of a class that read a clock, or sleep} */
  static List<String> clockCalls(ClassModel model) {
    return calls(model, OF_CLOCKS);
  }

  /** {@return the calls of a class that start threads, or leave work to the threads of a pool} */
  static List<String> threadCalls(ClassModel model) {
    return calls(model, OF_THREADS);
  }

  private static List<String> calls(ClassModel model, Pattern pattern) {
    Set<String> calls = new TreeSet<>();
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry method) {
        String name = method.owner().asInternalName() + "." + method.name().stringValue();
        if (pattern.matcher(name + method.type().stringValue()).matches()) {
          calls.add(model.thisClass().asInternalName() + " -> " + name);
        }
      }
    }
    return List.copyOf(calls);
  }
}
