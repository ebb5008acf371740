package dev.stowage.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Adds stack maps to the classes of a jar that were compiled for Java 5.
 *
 * <p>The JVM keeps no class without stack maps in its cache of loaded classes, and verifies it at
 * each start. The scripts that build Stowage run this program for picocli: its 228 classes are a
 * third of the start.
 */
public final class StackMaps {

  /** Class files of Java 7 and newer must have stack maps. */
  private static final int WITH_STACK_MAPS = ClassFile.JAVA_7_VERSION;

  private StackMaps() {}

  /**
   * Replaces jars with classes that have no stack maps. Other jars stay as they are.
   *
   * @param args the paths of the jars
   */
  public static void main(String[] args) throws IOException {
    for (String jar : args) {
      addTo(Path.of(jar));
    }
  }

  static void addTo(Path jar) throws IOException {
    Map<ZipEntry, byte[]> entries = read(jar);
    Map<String, byte[]> classes = new LinkedHashMap<>();
    entries.forEach((entry, bytes) -> classes.put(entry.getName(), bytes));
    ClassFile format =
        ClassFile.of(
            ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(type -> find(classes, type))
                    .orElse(ClassHierarchyResolver.defaultResolver())));
    boolean isChanged = false;
    for (Map.Entry<ZipEntry, byte[]> entry : entries.entrySet()) {
      if (entry.getKey().getName().endsWith(".class")) {
        ClassModel model = format.parse(entry.getValue());
        if (model.majorVersion() < WITH_STACK_MAPS) {
          entry.setValue(withStackMaps(format, model));
          isChanged = true;
        }
      }
    }
    if (isChanged) {
      Path next = jar.resolveSibling(jar.getFileName() + ".next");
      write(entries, next);
      Files.move(next, jar, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static byte[] withStackMaps(ClassFile format, ClassModel model) {
    ClassTransform code = ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL);
    return format.transformClass(
        model,
        ClassTransform.dropping(ClassFileVersion.class::isInstance)
            .andThen(code)
            .andThen(ClassTransform.endHandler(to -> to.withVersion(WITH_STACK_MAPS, 0))));
  }

  private static @Nullable InputStream find(Map<String, byte[]> classes, ClassDesc type) {
    String descriptor = type.descriptorString();
    byte[] bytes = classes.get(descriptor.substring(1, descriptor.length() - 1) + ".class");
    return bytes == null ? null : new ByteArrayInputStream(bytes);
  }

  private static Map<ZipEntry, byte[]> read(Path jar) throws IOException {
    Map<ZipEntry, byte[]> entries = new LinkedHashMap<>();
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(jar))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        entries.put(entry, in.readAllBytes());
      }
    }
    return entries;
  }

  private static void write(Map<ZipEntry, byte[]> entries, Path jar) throws IOException {
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (Map.Entry<ZipEntry, byte[]> entry : entries.entrySet()) {
        ZipEntry copy = new ZipEntry(entry.getKey().getName());
        // The time in the zone of the machine: an instant would differ between machines.
        copy.setTimeLocal(entry.getKey().getTimeLocal());
        out.putNextEntry(copy);
        out.write(entry.getValue());
        out.closeEntry();
      }
    }
  }
}
