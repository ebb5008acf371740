package dev.stowage.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A name means one thing in the whole house, so that readers need no package to tell classes apart.
 */
class ClassNamesTest {

  @Test
  void simpleNames_ofAllModules_areUnique() throws IOException {
    List<ClassModel> classes = new ArrayList<>();
    for (Room room : House.rooms()) {
      classes.addAll(Room.compiled(room.folder()));
    }
    Map<String, List<String>> bySimpleName =
        topLevel(classes).collect(Collectors.groupingBy(ClassNamesTest::simpleName));
    assertThat(bySimpleName.values()).filteredOn(names -> names.size() > 1).isEmpty();
  }

  private static Stream<String> topLevel(List<ClassModel> classes) {
    return classes.stream()
        .map(model -> model.thisClass().asInternalName())
        .filter(name -> !name.contains("$") && !name.endsWith("-info"));
  }

  private static String simpleName(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }
}
