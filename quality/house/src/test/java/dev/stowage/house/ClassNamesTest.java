package dev.stowage.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A name means one thing in a module, so that its readers need no package to tell classes apart.
 */
class ClassNamesTest {

  static List<Room> rooms() {
    return House.rooms();
  }

  @ParameterizedTest
  @MethodSource("rooms")
  void simpleNames_ofAModule_areUnique(Room room) throws IOException {
    assertThat(Room.compiled(room.folder()))
        .extracting(model -> model.thisClass().asInternalName())
        .filteredOn(name -> !name.contains("$") && !name.endsWith("-info"))
        .extracting(name -> name.substring(name.lastIndexOf('/') + 1))
        .doesNotHaveDuplicates();
  }
}
