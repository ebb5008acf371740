package dev.stowage.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The walls of the house: each module and each package uses only what lies below it. */
class HouseTest {

  /** The rooms of the house, from the ground up. */
  static final List<Room> ROOMS = House.rooms();

  @ParameterizedTest
  @FieldSource("ROOMS")
  void walls_ofARoom_areKept(Room room) throws IOException {
    assertThat(room.walls().breaches()).isEmpty();
  }

  /** A module of a floor needs only modules of lower floors, or of its own floor before it. */
  @Test
  void modules_eachOne_needOnlyThoseBefore() {
    Map<String, Integer> floors = new LinkedHashMap<>();
    List<String> breaches = new ArrayList<>();
    for (Room room : ROOMS) {
      for (String needed : room.neededRooms()) {
        int floor = floors.getOrDefault(needed, Integer.MAX_VALUE);
        if (floor > room.floor() || (floor == room.floor() && !room.mayNeedNeighbours())) {
          breaches.add(room + " needs " + needed);
        }
      }
      floors.put(room.module(), room.floor());
    }
    assertThat(breaches).isEmpty();
  }

  /** The script builds the command again after a change of any of its modules. */
  @ParameterizedTest
  @FieldSource("ROOMS")
  void script_ofTheCommand_watchesTheRoom(Room room) throws IOException {
    String script = Files.readString(Path.of(System.getProperty("stowage.root"), "stowage"));
    String floor = room.folder().replaceFirst("/.*", "");
    assertThat(script)
        .containsPattern(
            "\"\\$root/(" + Pattern.quote(floor) + "\"|" + Pattern.quote(room.folder()) + "[\"/])");
  }

  private static final String PLAN = "dev/stowage/plan";

  /** Threads, processes and files. */
  private static final Pattern FORBIDDEN_TO_PLANNERS =
      Pattern.compile(
          "java/util/concurrent/(?!CancellationException$).*"
              + "|java/lang/(Thread|InheritableThread|ScopedValue|Process|Runtime$).*"
              + "|java/io/(?!Serializable$|IOException$).*");

  /** The classes that start the threads of a search, or read the interrupt status of its thread. */
  private static final Set<String> USERS_OF_THREADS =
      Set.of(PLAN + "/search/offsets/SearchWorkers", PLAN + "/search/SearchLimit");

  @Test
  void plan_allClassesExceptTwo_useNoThreadsAndNoFiles() throws IOException {
    List<ClassModel> classes = Room.compiled("plan");
    assertThat(
            classes.stream()
                .filter(model -> !USERS_OF_THREADS.contains(nameOf(model)))
                .flatMap(model ->
                    CompiledClasses.references(
                        model, name -> !FORBIDDEN_TO_PLANNERS.matcher(name).matches())
                        .stream()))
        .isEmpty();
    assertThat(classes.stream().map(HouseTest::nameOf).filter(USERS_OF_THREADS::contains))
        .hasSameSizeAs(USERS_OF_THREADS);
  }

  @Test
  void onnxruntime_everyClassExceptTheAllocator_doesNotUseTheEnginesJavaClasses()
      throws IOException {
    assertThat(
            Room.compiled("adapters/onnxruntime").stream()
                .filter(model -> !nameOf(model).endsWith("/OnnxRuntimeAllocator"))
                .flatMap(model ->
                    CompiledClasses.references(model, name -> !name.startsWith("ai/onnxruntime/"))
                        .stream()))
        .isEmpty();
  }

  /** Methods of strategies and assignments that plan. */
  private static final Set<String> PLANNING =
      Set.of("planObjects", "planOffsets", "planTextures", "toOffsets");

  @Test
  void cli_everyPlan_isMadeInThePackagePlan() throws IOException {
    Set<String> callers = new TreeSet<>();
    for (ClassModel model : Room.compiled("tools/cli")) {
      for (PoolEntry entry : model.constantPool()) {
        if (entry instanceof MemberRefEntry member
            && member.owner().asInternalName().startsWith(PLAN + "/")
            && PLANNING.contains(member.name().stringValue())) {
          callers.add(nameOf(model));
        }
      }
    }
    assertThat(callers).isNotEmpty().allMatch(name -> name.startsWith("dev/stowage/cli/plan/"));
  }

  /** Java reports reflection that sets final fields from version 26 on, and will reject it. */
  @Test
  void cli_everyFieldThatPicocliSets_isNotFinal() throws IOException {
    List<String> fields = new ArrayList<>();
    for (ClassModel model : Room.compiled("tools/cli")) {
      for (FieldModel field : model.fields()) {
        if (field.flags().has(AccessFlag.FINAL) && hasAnnotationOfPicocli(field)) {
          fields.add(nameOf(model) + "." + field.fieldName().stringValue());
        }
      }
    }
    assertThat(fields).isEmpty();
  }

  private static boolean hasAnnotationOfPicocli(FieldModel field) {
    return field.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
        .flatMap(attribute -> attribute.annotations().stream())
        .anyMatch(annotation -> annotation.className().stringValue().startsWith("Lpicocli/"));
  }

  private static String nameOf(ClassModel model) {
    return model.thisClass().asInternalName();
  }
}
