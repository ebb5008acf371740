/** The site of the project. */
@NullMarked
package dev.stowage.site;

import org.jspecify.annotations.NullMarked;
