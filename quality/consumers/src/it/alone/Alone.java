import java.io.File;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks the jars that one artifact brings, and that they suffice: resolves its module and loads
 * all its classes with the types of their members.
 */
final class Alone {

  /**
   * Optional engines: ONNX Runtime, which is as large as all other libraries, so that users add it
   * themselves, and Netty, which has its jars in a child process of the command.
   */
  private static final List<String> ENGINES = List.of("ai/onnxruntime/", "io/netty/");

  private Alone() {}

  public static void main(String[] args) throws IOException {
    String name = args[0];
    List<Path> jars =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.endsWith(".jar"))
            .map(Path::of)
            .toList();
    checkNames(name, jars, Path.of(args[1]));

    String module = "dev.stowage." + name;
    ModuleFinder finder = ModuleFinder.of(jars.toArray(Path[]::new));
    Configuration resolved =
        ModuleLayer.boot()
            .configuration()
            .resolve(finder, ModuleFinder.of(), roots(finder, module));
    ClassLoader loader =
        ModuleLayer.boot()
            .defineModulesWithOneLoader(resolved, ClassLoader.getPlatformClassLoader())
            .findLoader(module);
    int count = 0;
    try (ModuleReader reader = finder.find(module).orElseThrow().open()) {
      for (String file : reader.list().filter(Alone::isClass).toList()) {
        load(loader, file.replaceFirst("\\.class$", "").replace('/', '.'));
        count++;
      }
    }
    System.out.println(module + ": " + count + " classes with " + jars.size() + " jars");
  }

  /** An automatic module has no descriptor that names the modules that it needs. */
  private static Set<String> roots(ModuleFinder finder, String module) {
    Set<String> roots = new TreeSet<>(Set.of(module));
    if (finder.find(module).orElseThrow().descriptor().isAutomatic()) {
      finder.findAll().forEach(reference -> roots.add(reference.descriptor().name()));
    }
    return roots;
  }

  private static boolean isClass(String file) {
    return file.endsWith(".class") && !file.equals("module-info.class");
  }

  private static void load(ClassLoader loader, String name) {
    try {
      Class<?> type = Class.forName(name, false, loader);
      type.getDeclaredMethods();
      type.getDeclaredConstructors();
      type.getDeclaredFields();
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    } catch (NoClassDefFoundError e) {
      if (ENGINES.stream().noneMatch(e.getMessage()::startsWith)) {
        throw e;
      }
    }
  }

  private static void checkNames(String name, List<Path> jars, Path file) throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path jar : jars) {
      found.add(jar.getFileName().toString().replaceFirst("-[0-9].*", ""));
    }
    String line = name + ": " + String.join(" ", found);
    if (!Files.readAllLines(file).contains(line)) {
      throw new AssertionError("the jars differ from those in " + file + ", found " + line);
    }
  }
}
