/** The exception for malformed files, which the readers of all modules throw. */
package dev.stowage.core;
