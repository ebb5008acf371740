package dev.stowage.house;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassModel;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A module of the house.
 *
 * @param folder the folder of the module, from the root of the project
 * @param floor the floor, 0 for the ground
 * @param walls its rules
 */
record Room(String folder, int floor, Walls walls) {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root", "../.."));

  /** From this floor on, a module may need others of its floor: a budget of models needs models. */
  private static final int FLOOR_OF_MODELS = 4;

  /**
   * {@return a room}
   *
   * @param folder the folder of the module
   * @param floor the floor
   * @param rules adds the rules of the module
   */
  static Room of(String folder, int floor, UnaryOperator<Walls> rules) {
    return new Room(
        folder, floor, rules.apply(new Walls(classes(folder), "dev/stowage/" + name(folder))));
  }

  /** {@return the compiled classes of a module, sorted by file} */
  static List<ClassModel> compiled(String folder) throws IOException {
    return CompiledClasses.in(classes(folder), "dev/stowage/" + name(folder));
  }

  /** {@return the compiled descriptor of the module} */
  ModuleDescriptor descriptor() throws IOException {
    try (InputStream in = Files.newInputStream(classes(folder).resolve("module-info.class"))) {
      return ModuleDescriptor.read(in);
    }
  }

  /** {@return the name of the module, such as {@code dev.stowage.plan}} */
  String module() {
    return "dev.stowage." + name(folder);
  }

  /** {@return true if the module may need others of its floor} */
  boolean mayNeedNeighbours() {
    return floor >= FLOOR_OF_MODELS;
  }

  /** {@return the modules of Stowage that this one requires} */
  List<String> neededRooms() {
    return walls.requiredModules().stream()
        .filter(name -> name.startsWith("dev.stowage."))
        .toList();
  }

  @Override
  public String toString() {
    return folder;
  }

  /** {@return the folder of the sources of a module} */
  static Path source(String folder) {
    return ROOT.resolve(folder).resolve("src/main/java");
  }

  private static Path classes(String folder) {
    return ROOT.resolve(folder).resolve("target/classes");
  }

  private static String name(String folder) {
    return folder.substring(folder.lastIndexOf('/') + 1);
  }
}
