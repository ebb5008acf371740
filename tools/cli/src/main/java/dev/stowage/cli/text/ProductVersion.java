package dev.stowage.cli.text;

import dev.stowage.pages.text.Text;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.util.Optional;
import java.util.Properties;

/** The version of Stowage and the commit of its build. */
public final class ProductVersion {

  private ProductVersion() {}

  /** {@return the version of the module; empty if the classes are not packaged} */
  public static Optional<String> find() {
    return Optional.ofNullable(ProductVersion.class.getModule().getDescriptor())
        .flatMap(ModuleDescriptor::version)
        .map(ModuleDescriptor.Version::toString);
  }

  /**
   * {@return the commit of the build with its date, as "commit 0123456789ab of 2026-11-23"; empty
   * if the sources were not in a git repository}
   */
  public static Optional<String> findCommit() {
    Properties properties = new Properties();
    try (InputStream file = ProductVersion.class.getResourceAsStream("commit.properties")) {
      if (file != null) {
        properties.load(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String commit = properties.getProperty("git.commit.id.abbrev", "");
    String date = properties.getProperty("git.commit.time", "");
    return commit.isEmpty()
        ? Optional.empty()
        : Optional.of(Text.of("commit %s of %s", commit, date));
  }
}
