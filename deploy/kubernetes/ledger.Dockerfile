# Image of the demo service, without the agent. Any Java from 17 on works.
#   docker build -f deploy/kubernetes/ledger.Dockerfile -t ledger:dev demo-service/target
FROM eclipse-temurin:17-jre
COPY demo-service.jar /demo-service.jar
USER 10001:10001
CMD ["java", "-jar", "/demo-service.jar"]
