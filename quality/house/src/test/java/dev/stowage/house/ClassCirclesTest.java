package dev.stowage.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What remains is a sealed type with its cases, or a few classes that are one idea. */
class ClassCirclesTest {

  private static final int MAX_GROUPS = 16;
  private static final int MAX_CLASSES = 4;

  @Test
  void of_allModules_areFewAndSmall() throws IOException {
    List<ClassModel> classes = new ArrayList<>();
    for (Room room : House.rooms()) {
      classes.addAll(Room.compiled(room.folder()));
    }
    List<Set<String>> groups = ClassCircles.of(classes);
    assertThat(groups).as("groups").hasSizeLessThanOrEqualTo(MAX_GROUPS);
    assertThat(groups).allMatch(group -> group.size() <= MAX_CLASSES);
    assertThat(groups).allMatch(group -> packagesOf(group).size() == 1);
  }

  private static Set<String> packagesOf(Set<String> group) {
    return group.stream()
        .map(name -> name.substring(0, name.lastIndexOf('/')))
        .collect(Collectors.toSet());
  }
}
