package dev.stowage.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassModel;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.reflect.AccessFlag;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The types that users can name: those of packages that a module exports to everyone. The file
 * {@code public-types.txt} lists them with their users. A type that no README, guide, adapter or
 * example uses belongs into a package that is exported to named modules only.
 */
class PublicTypesTest {

  /** The most types of all modules. */
  private static final int MAX_TYPES = 172;

  private static final int MAX_TYPES_OF_PLAN = 40;
  private static final int MAX_TYPES_OF_ALLOCATOR = 25;

  /** The kit of tests is published, but has no walls: it may use JUnit and AssertJ. */
  private static final String TESTKIT = "devices/testkit";

  @Test
  void list_hasEveryPublicType_andNoOther() throws IOException {
    assertThat(listed().stream().map(line -> line.split(": ", 2)[0]).toList())
        .containsExactlyInAnyOrderElementsOf(publicTypes());
  }

  @Test
  void list_everyLine_namesTheUserAndThePurpose() {
    assertThat(listed()).allMatch(line -> line.split(": ", 3).length == 3);
  }

  @Test
  void publicTypes_ofAllModules_areFew() throws IOException {
    List<String> types = publicTypes();
    assertThat(types).hasSizeLessThanOrEqualTo(MAX_TYPES);
    assertThat(in("dev.stowage.plan.", types)).hasSizeLessThanOrEqualTo(MAX_TYPES_OF_PLAN);
    assertThat(in("dev.stowage.allocator.", types))
        .hasSizeLessThanOrEqualTo(MAX_TYPES_OF_ALLOCATOR);
  }

  /** The check of the API reads no modules, so that the POM names the packages that are no API. */
  @Test
  void apiCheck_excludes_arePackagesThatNoModuleExports() throws IOException {
    Set<String> internal = new TreeSet<>();
    for (Room room : House.rooms()) {
      if (room.walls().hasDescriptor() && !room.folder().equals("tools/cli")) {
        Room.compiled(room.folder()).stream()
            .map(PublicTypesTest::nameOf)
            .filter(name -> name.contains("."))
            .map(name -> name.substring(0, name.lastIndexOf('.')))
            .forEach(internal::add);
        room.descriptor().exports().stream()
            .filter(exports -> !exports.isQualified())
            .forEach(exports -> internal.remove(exports.source()));
      }
    }

    assertThat(
            Pattern.compile("<exclude>([a-z0-9.]+)</exclude>")
                .matcher(Files.readString(Path.of(System.getProperty("stowage.root"), "pom.xml")))
                .results()
                .map(found -> found.group(1)))
        .containsExactlyElementsOf(internal);
  }

  private static List<String> in(String prefix, List<String> types) {
    return types.stream().filter(type -> type.startsWith(prefix)).toList();
  }

  private static List<String> publicTypes() throws IOException {
    List<String> types = new ArrayList<>();
    for (Room room : House.rooms()) {
      if (room.walls().hasDescriptor()) {
        types.addAll(publicTypes(room));
      }
    }
    types.addAll(publicTypes(Room.of(TESTKIT, 2, walls -> walls)));
    return types;
  }

  private static List<String> publicTypes(Room room) throws IOException {
    Set<String> exported =
        room.descriptor().exports().stream()
            .filter(exports -> !exports.isQualified())
            .map(Exports::source)
            .collect(Collectors.toSet());
    return Room.compiled(room.folder()).stream()
        .filter(model -> model.flags().has(AccessFlag.PUBLIC))
        .map(PublicTypesTest::nameOf)
        .filter(name -> !name.contains("$"))
        .filter(name -> exported.contains(name.substring(0, name.lastIndexOf('.'))))
        .toList();
  }

  private static String nameOf(ClassModel model) {
    return model.thisClass().asInternalName().replace('/', '.');
  }

  private static List<String> listed() {
    try (InputStream in = PublicTypesTest.class.getResourceAsStream("/public-types.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .flatMap(line -> line.isBlank() || line.startsWith("#") ? Stream.of() : Stream.of(line))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
